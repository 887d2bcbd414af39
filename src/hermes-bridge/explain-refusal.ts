import { EngineError, type EngineErrorCode, type EngineErrorFacts } from "../engine/errors.ts";
import { ToolRefused } from "./tool-refused.ts";

export interface Refusal {
  status: number;
  /** One English sentence that says what was expected; the model words it for the person. */
  error: string;
}

const NOTHING = "Nothing was changed.";

const words: { [C in EngineErrorCode]: { status: number; say: (facts: EngineErrorFacts[C]) => string } } = {
  forbidden: { status: 403, say: ({ need }) => `This takes the word of a person who is at least ${need}. ${NOTHING}` },
  not_found: {
    status: 404,
    say: ({ what, given, near = [] }) =>
      what === "editorial_turn"
        ? `This is only for an editorial turn that Herald has asked for, with the key it was told. ${NOTHING}`
        : `There is no ${what} ${given === undefined ? "of that name" : JSON.stringify(given)} here.${
            near.length > 0 ? ` Near it: ${near.join("; ")}.` : " Use action list to see the numbers."
          } ${NOTHING}`,
  },
  changed_since_seen: { status: 409, say: () => `It has changed meanwhile: list again first. ${NOTHING}` },
  wrong_state: {
    status: 409,
    say: ({ what, state }) =>
      what === "editorial_turn" || what === "run"
        ? `This turn can decide nothing any more (${state}). ${NOTHING} Answer [SILENT].`
        : `That ${what} is ${state}: if it has come up again, add it anew. ${NOTHING}`,
  },
  invalid_input: {
    status: 422,
    say: ({ path, expected, example }) =>
      `${path}: expected ${EXPECTED[expected] ?? expected}. ${sample(example)}${NOTHING}`,
  },
  limit_reached: { status: 429, say: ({ most }) => `The limit of ${most} is reached. ${NOTHING}` },
  unavailable: {
    status: 503,
    say: ({ what }) => `The ${what} cannot be reached just now: try once more later. ${NOTHING}`,
  },
};

const EXPECTED: Readonly<Record<string, string>> = {
  "editor.every_candidate_once": "a decision about every candidate, each exactly once",
  "editor.known_candidate": "numbers of candidates that proactivity_read showed, and no others",
  "editor.reason_of_send": "due_now, worth_saying or person_asked as the reason of a send",
  "editor.reason_of_skip": "a reason of a skip, not one of a send",
  "editor.not_held_back": "skip: the rules hold this one back, with the reason proactivity_read names",
  "editor.not_closed_and_sent": "either closing a matter or sending it",
  "editor.known_goal": "goal_ids that proactivity_read showed",
  "editor.backed_by_words": "only matters that the person's own words have settled",
  "editor.text_present": "the text of the message, because something is sent",
  "editor.text_length": "a shorter text",
  "time.future": "a time that has not passed, at most a year ahead",
};

function sample(example: string): string {
  return example === "" ? "" : `Example: ${example}. `;
}

/** What a refusal tells the model; undefined for what is no refusal but a bug. */
export function explainRefusal(error: unknown): Refusal | undefined {
  if (error instanceof ToolRefused) return { status: error.status, error: error.message };
  if (!(error instanceof EngineError)) return undefined;
  const { code, facts } = error as EngineError;
  // The compiler cannot follow that words and facts belong to the same code.
  const { status, say } = words[code] as { status: number; say: (facts: unknown) => string };
  return { status, error: say(facts) };
}
