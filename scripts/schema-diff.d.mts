export function schemaDiff(provider: "sqlite" | "postgres", from: string | undefined, to: string): Promise<string>;
