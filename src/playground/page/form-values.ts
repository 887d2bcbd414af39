/** A form's field as far as collecting its values goes. */
type Field = {
  readonly name: string;
  readonly required: boolean;
  readonly value: () => unknown;
  readonly isEmpty: () => boolean;
};

/**
 * Feishu: the client checks a form before it is sent. Every control needs a name of its own (otherwise 200530), and
 * required ones need a value (then nothing is sent).
 */
export type FormCheck =
  | { readonly outcome: "send"; readonly values: Readonly<Record<string, unknown>> }
  | { readonly outcome: "missing"; readonly names: readonly string[] }
  | { readonly outcome: "bad_names" };

/** Collects what a form would send, or says why it cannot be sent. */
export function checkForm(fields: readonly Field[]): FormCheck {
  const names = fields.map((field) => field.name);
  if (names.includes("") || new Set(names).size !== names.length) return { outcome: "bad_names" };
  const missing = fields.filter((field) => field.required && field.isEmpty()).map((field) => field.name);
  if (missing.length > 0) return { outcome: "missing", names: missing };
  return { outcome: "send", values: Object.fromEntries(fields.map((field) => [field.name, field.value()])) };
}
