import type { PageLanguage, TapRequest } from "../../page-api.ts";
import type { PageWords } from "../i18n.ts";
import type { JsonObject } from "../read-json.ts";

/** A person as the cards show one. */
export type ScenePerson = { readonly openId: string; readonly name: string; readonly initials: string };

/** What a pressed component says besides the message and the person. */
export type TapPart = Omit<TapRequest, "messageId" | "userId">;

/** One named control of a form. */
export type FormField = {
  readonly name: string;
  readonly required: boolean;
  /** The value as `form_value` carries it. */
  readonly value: () => unknown;
  readonly isEmpty: () => boolean;
  readonly reset: () => void;
  /** Marks a missing required value; false takes the mark away. */
  readonly mark: (missing: boolean) => void;
  readonly focus: () => void;
};

export type FormScope = { readonly name: string; readonly fields: FormField[] };

/** What a person has typed or unfolded on one card; it outlives a redraw of that card. */
export type Draft = Map<string, unknown>;

/** Everything a card component needs to know about its surroundings. */
export type CardScene = {
  readonly words: PageWords;
  readonly language: PageLanguage;
  /** `config.locales`: which languages of a text count. */
  readonly locales: readonly string[];
  readonly timeZone: string;
  /** Phone width: own text sizes have a value for it. */
  readonly narrow: boolean;
  /** `config.style` of the card. */
  readonly style: JsonObject;
  readonly draft: Draft;
  readonly form?: FormScope;
  readonly nowMs: () => number;
  readonly person: (openId: string) => ScenePerson | undefined;
  /** People one may choose from when a picker names none. */
  readonly people: readonly ScenePerson[];
  readonly imageUrl: (imageKey: string) => string;
  /** Draws child elements; containers use it so that they need not know the other components. */
  readonly draw: (elements: unknown, scene: CardScene) => HTMLElement[];
  /** Sends a tap; resolves when it was answered. `control` shows that it is busy meanwhile. */
  readonly tap: (part: TapPart, control: HTMLElement) => Promise<void>;
  /** A hint under the card, in red, as Feishu's client shows its errors. */
  readonly complain: (text: string) => void;
};

/** A component: its JSON and surroundings in, one element out. */
export type DrawComponent = (node: JsonObject, scene: CardScene) => HTMLElement;
