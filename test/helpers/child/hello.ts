/** What say-hello.ts prints. */
export function hello(names: readonly string[]): string {
  return `hello ${names.join(" and ")}`;
}
