/** Waits for something that happens by itself. @throws Error after 45 s: a busy machine is no failure */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 1800; i++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("waited 45 s in vain");
}
