import type { Look } from "../../src/cards/look.ts";

/** Tuesday, 6 May 2025, 14:30 in Shanghai: the present of all card tests. */
export const NOW = new Date("2025-05-06T06:30:00Z");

export const LOOKS: Readonly<Record<Look["language"], Look>> = {
  zh: { language: "zh", zone: "Asia/Shanghai", now: NOW, post: "p_7Kd93hQz" },
  en: { language: "en", zone: "Asia/Shanghai", now: NOW, post: "p_7Kd93hQz" },
  both: { language: "both", zone: "Asia/Shanghai", now: NOW, post: "p_7Kd93hQz" },
};

/** An instant relative to `NOW`, in hours. */
export const hours = (n: number): Date => new Date(NOW.getTime() + n * 3_600_000);

/** Every callback value on a card, with the option to choose for menus and selects. */
export function controlsOf(card: unknown): { value: unknown; option?: string; submit: boolean; tag: string }[] {
  if (Array.isArray(card)) return card.flatMap(controlsOf);
  if (typeof card !== "object" || card === null) return [];
  const element = card as Record<string, unknown>;
  const behaviors = element.behaviors;
  if (!Array.isArray(behaviors)) return Object.values(element).flatMap(controlsOf);
  const { value } = behaviors[0] as { value: unknown };
  const tag = String(element.tag);
  const submit = element.form_action_type === "submit";
  const options = element.options as { value: string }[] | undefined;
  return options ? options.map((option) => ({ value, option: option.value, submit, tag })) : [{ value, submit, tag }];
}
