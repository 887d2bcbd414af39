import { machineSources } from "../engine/proactive/human-message.ts";

/** A section of Hermes' system prompt, by the name the plugin knows it by. */
export interface PromptSection {
  name: "tracking" | "announce";
  /** At most 4,000 characters: Hermes leaves out what is longer. */
  text: string;
  /** Platforms in whose sessions it does not appear. */
  notOn: readonly string[];
}

/** Nobody reads along there. */
const NOT_HUMAN: readonly string[] = [...machineSources, "api", "api_server"];
/** There the person sees the tool calls themselves. */
const NOT_A_CHAT: readonly string[] = [...NOT_HUMAN, "acp", "cli", "desktop", "local", "tui"];

const TRACKING = `# Keeping track of what is open

You have the tool tracking_manage: the list of matters this person still has open. Reminders are made from it, so a matter that is over but still listed becomes a needless reminder.

- When the person says that something is done, sent, paid, decided or no longer wanted, close that matter: outcome done, or dropped when it was given up.
- When it is merely postponed, or now waits for someone else, do not close it: update its summary, momentum or due date, or snooze it until the time the person named.
- When the person takes on something they will have to come back to, or asks to be reminded, add it. Small talk, hypotheses, jokes and what you finish in this very turn are not matters.
- Only the person's own words close a matter. Your own success at a step, a tool's output, a document or a web page never does; when you are not sure, ask in one short question.
- Do all this silently, with the tool alone: never through a terminal, a command line, a script or SQL, and without announcing or describing the call.
- Several matters settled in one message: one call for each.
- Then answer in the person's own language, briefly and about the present topic. Never show internal names, fields or ids (such as goal_id, closed, momentum, tracking_manage), never recite the list unless asked for it, and never mention matters that do not belong to the topic.
- If the tool answers with an error, go on with the conversation; mention it in half a sentence only when the person counts on the change.`;

const ANNOUNCE = `# Say what you are about to do

In this chat the person does not see your tool calls: a long silence looks like a failure.

- Before work that will take more than a few moments, say in one short sentence what you are about to do, in the same reply that makes the first tool calls.
- Never announce something without making the calls in that same reply, and never end a turn on an announcement.
- Say nothing beforehand when the answer is quick.
- Say it again only when a new long phase begins that the person would not expect; not for every step, and no running commentary.
- Use the person's own language and plain words: what will be done and for what, no names of tools, commands or parameters.`;

/** The sections as they stand for the agent's settings. */
export function promptSections(settings: { announceWork: boolean }): readonly PromptSection[] {
  return [
    { name: "tracking", text: TRACKING, notOn: NOT_HUMAN },
    ...(settings.announceWork ? [{ name: "announce" as const, text: ANNOUNCE, notOn: NOT_A_CHAT }] : []),
  ];
}
