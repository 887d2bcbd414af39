import { lookUp } from "./look-up.ts";

/** Light or dark look of the page. */
export type Look = "light" | "dark";

/** Feishu's named colours as hue (degrees) and chroma in OKLCH, near the platform's own tones. */
const HUES = {
  blue: [263, 0.19],
  wathet: [236, 0.13],
  turquoise: [190, 0.1],
  lime: [125, 0.15],
  green: [152, 0.15],
  yellow: [95, 0.26],
  orange: [57, 0.19],
  red: [25, 0.2],
  carmine: [2, 0.2],
  violet: [325, 0.2],
  purple: [298, 0.2],
  indigo: [278, 0.19],
  grey: [265, 0.012],
} as const satisfies Record<string, readonly [number, number]>;

/** Lightness of each step. In the dark look the steps run the other way, so that one name serves both. */
const STEPS = {
  50: [0.975, 0.295],
  100: [0.945, 0.33],
  200: [0.89, 0.385],
  300: [0.82, 0.44],
  350: [0.785, 0.47],
  400: [0.73, 0.52],
  500: [0.64, 0.6],
  600: [0.535, 0.7],
  700: [0.455, 0.765],
  800: [0.375, 0.83],
  900: [0.3, 0.89],
} as const satisfies Record<number, readonly [number, number]>;

type Hue = keyof typeof HUES;

/** Other words for the same hues: text_tag says neutral, templates say default. */
const ALIASES: Readonly<Record<string, Hue>> = {
  neutral: "grey",
  gray: "grey",
  sunflower: "yellow",
  carmin: "carmine",
};

/** Words that stand for a role in the page instead of a hue. */
const ROLES: Readonly<Record<string, string>> = {
  default: "var(--text)",
  white: "var(--white)",
  black: "var(--text)",
  "bg-white": "var(--card)",
  transparent: "transparent",
};

/** The step a bare name (`blue`) means where text is set in it: readable on the card in both looks. */
export const TEXT_STEP = 600;

/**
 * A card's colour name (`blue`, `grey-500`, `rgba(…)`, or a name of `config.style.color`) as a CSS value.
 * @param bareStep step of a bare name: 600 for text, 100 for a ground.
 * @returns undefined for what is no colour, so that the page falls back to its own.
 */
export function cssColour(name: string | undefined, bareStep: keyof typeof STEPS = TEXT_STEP): string | undefined {
  if (!name) return undefined;
  const trimmed = name.trim().toLowerCase();
  const role = lookUp(ROLES, trimmed);
  if (role) return role;
  const match = /^([a-z]+)(?:-(\d{2,3}))?$/.exec(trimmed);
  const hue = hueOf(match?.[1]);
  if (hue) {
    const step = match?.[2];
    return step === undefined || Object.hasOwn(STEPS, step) ? `var(--${hue}-${step ?? bareStep})` : undefined;
  }
  if (/^rgba?\(\s*[\d.]+%?(?:\s*[, ]\s*[\d.]+%?){2}(?:\s*[,/]\s*[\d.]+%?)?\s*\)$/.test(trimmed)) return trimmed;
  return /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(trimmed) ? trimmed : undefined;
}

/** The hue a name belongs to, if it is one of the platform's. */
export function hueOf(name: string | undefined): Hue | undefined {
  if (name === undefined) return undefined;
  if (Object.hasOwn(HUES, name)) return name as Hue;
  return lookUp(ALIASES, name);
}

/** One tone as OKLCH parts: lightness 0–1, chroma, hue in degrees. */
export function tone(hue: Hue, step: keyof typeof STEPS, look: Look): readonly [number, number, number] {
  const [degrees, chroma] = HUES[hue];
  const lightness = STEPS[step][look === "light" ? 0 : 1];
  // Towards white and black screens show less colour; and large dark grounds look calmer with little of it.
  const room = Math.min(1, (1.08 - lightness) / 0.3);
  const fade = look === "light" ? Math.min(1, (1 - lightness) / 0.3) : Math.min(room, (lightness - 0.13) / 0.45);
  return [lightness, chroma * fade, degrees];
}

/** All tones of a look as CSS declarations `--blue-500:oklch(…)`. */
export function paletteCss(look: Look): string {
  const lines: string[] = [];
  for (const hue of Object.keys(HUES) as Hue[]) {
    for (const step of Object.keys(STEPS).map(Number) as (keyof typeof STEPS)[]) {
      const [l, c, h] = tone(hue, step, look);
      lines.push(`--${hue}-${step}:oklch(${l.toFixed(3)} ${c.toFixed(4)} ${h})`);
    }
  }
  return lines.join(";");
}
