/**
 * A table's own entry for a key that came from outside. Plain indexing would also find what every object inherits
 * (`constructor`, `toString`).
 */
export function lookUp<T>(table: Readonly<Record<string, T>>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}
