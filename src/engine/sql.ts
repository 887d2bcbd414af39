/** What a hole of a statement may hold. Instants, booleans and JSON columns are the same in both databases to whoever writes them. */
export type SqlValue = string | number | boolean | null | Date;

/** A statement, or a part of one, with its values apart from its text. Made by `sql` only. */
export interface Statement {
  /** The text between the holes: one more than there are values. */
  readonly parts: readonly string[];
  readonly values: readonly SqlValue[];
}

/**
 * One SQL statement for both databases: ``sql`SELECT "name" FROM "Person" WHERE "id" = ${id}` ``. What is put into a hole
 * is a value and never text of the statement; a `Statement` in a hole becomes part of the text, its values included.
 */
export function sql(text: TemplateStringsArray, ...holes: readonly (SqlValue | Statement)[]): Statement {
  const parts: string[] = [text[0] ?? ""];
  const values: SqlValue[] = [];
  const append = (more: string): void => {
    parts[parts.length - 1] += more;
  };
  holes.forEach((hole, i) => {
    const after = text[i + 1] ?? "";
    if (isStatement(hole)) {
      append(hole.parts[0] ?? "");
      parts.push(...hole.parts.slice(1));
      values.push(...hole.values);
      append(after);
    } else {
      values.push(hole);
      parts.push(after);
    }
  });
  return { parts, values };
}

/** Values between commas, for `IN (…)` and `VALUES (…)`. Must not be empty. */
export function list(values: readonly SqlValue[]): Statement {
  return { parts: ["", ...values.slice(1).map(() => ", "), ""], values };
}

/** Rows of values, `(…), (…)`, for `VALUES`. Must not be empty. */
export function tuples(rows: readonly (readonly SqlValue[])[]): Statement {
  const parts = ["("];
  for (const [r, row] of rows.entries()) {
    if (r > 0) parts[parts.length - 1] += "), (";
    row.forEach((_, i) => {
      parts.push(i < row.length - 1 ? ", " : "");
    });
  }
  parts[parts.length - 1] += ")";
  return { parts, values: rows.flat() };
}

/** The name of one column, in quotes. */
export function column(name: string): Statement {
  return { parts: [`"${name}"`], values: [] };
}

/** Names of columns between commas, in quotes: a schema's keys are the columns of its table. */
export function columns(schema: { readonly shape: Readonly<Record<string, unknown>> }, table?: string): Statement {
  const of = table === undefined ? "" : `${table}.`;
  return {
    parts: [
      Object.keys(schema.shape)
        .map((name) => `${of}"${name}"`)
        .join(", "),
    ],
    values: [],
  };
}

/** The text as each database wants its holes. */
export function textFor(provider: "sqlite" | "postgresql", { parts }: Statement): string {
  if (provider === "sqlite") return parts.join("?");
  return parts.reduce((text, part, i) => `${text}$${i}${part}`);
}

function isStatement(hole: SqlValue | Statement): hole is Statement {
  return typeof hole === "object" && hole !== null && "parts" in hole;
}
