import type { Texts } from "../text/pick.ts";

/** Somebody's words that go along with a message. */
export interface Quoted {
  by: string;
  text: string;
}

export interface TurnWords {
  /** What the person wrote. */
  text: string;
  /** Named in a conversation that several people share; empty = a person without a name. */
  sender?: string;
  quoted?: Quoted;
  /** Earlier messages of the topic, oldest first. */
  thread?: readonly Quoted[];
  /** The matters of the reminder that is answered. */
  matters?: string;
  /** Files that did not come along, each with why. */
  missing?: readonly { name: string; why: string }[];
}

const QUOTE_CHARS = 4_000;
const THREAD_CHARS = 600;

/**
 * What Hermes is given for a message: first what it goes with, marked as data and set off as quotes, then the words
 * themselves. A quote cannot end its own marks: each of its lines carries them.
 */
export function composeText({ chat: { prompt } }: Texts, words: TurnWords): string {
  const { quoted, thread = [], matters, missing = [] } = words;
  const name = words.sender?.replace(/[\s[\]]+/gu, " ").trim() || prompt.someone;
  const own = words.sender === undefined ? words.text : `${prompt.sender(name)} ${words.text}`;
  return [
    ...(thread.length > 0
      ? [section(prompt.thread, thread.map(({ by, text }) => `${by}: ${short(text)}`).join("\n"))]
      : []),
    ...(quoted ? [section(prompt.quoted(quoted.by), cutEnd(quoted.text, QUOTE_CHARS))] : []),
    ...(matters ? [section(prompt.matters, matters)] : []),
    ...(own.trim() === "" ? [] : [own]),
    ...missing.map((each) => prompt.notFetched(each.name, each.why)),
  ].join("\n\n");
}

function section(title: string, text: string): string {
  return `${title}\n${text.replace(/^/gm, "> ")}`;
}

function short(text: string): string {
  return cutEnd(text.replace(/\s+/gu, " ").trim(), THREAD_CHARS);
}

function cutEnd(text: string, most: number): string {
  const points = [...text];
  return points.length <= most ? text : `${points.slice(0, most - 1).join("")}…`;
}
