/** Waits for something that happens by itself. @throws Error after 20 s */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 800; i++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("waited 20 s in vain");
}
