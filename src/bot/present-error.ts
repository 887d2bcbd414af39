import type { EngineError, EngineErrorCode, EngineErrorFacts } from "../engine/errors.ts";
import type { Texts } from "../text/pick.ts";

export type ToastType = "info" | "success" | "warning" | "error";

export interface Presented {
  toast: { type: ToastType; content: string };
  /** in chat: one line that says what was expected or what to do */
  line: string;
  /** for tools and the plugin */
  http: number;
  /** what a background job does with it */
  job: "fail" | "skip" | "later";
  /** the card that was tapped should be drawn anew */
  redraw: boolean;
}

type Presenter<C extends EngineErrorCode> = (
  facts: EngineErrorFacts[C],
  t: Texts,
  when: (at: Date) => string,
) => Presented;

/** EngineError → toast, chat line, HTTP status, job. Complete by type: a new code does not compile without its words. */
const presenters: { [C in EngineErrorCode]: Presenter<C> } = {
  forbidden: (facts, t) => ({
    toast: { type: "warning", content: t.toast.forbidden(t.error.need[facts.need]) },
    line: t.error.forbidden(t.error.need[facts.need]),
    http: 403,
    job: "fail",
    redraw: false,
  }),
  not_found: (facts, t) => {
    const line = t.error.notFound(
      lookUp(t.error.what, facts.what, "thing"),
      facts.given ?? "",
      (facts.near ?? []).join(" / "),
    );
    return { toast: { type: "info", content: line }, line, http: 404, job: "skip", redraw: false };
  },
  changed_since_seen: (_facts, t) => ({
    toast: { type: "info", content: t.toast.changed },
    line: t.error.changedSinceSeen,
    http: 409,
    job: "skip",
    redraw: true,
  }),
  wrong_state: (facts, t) => {
    const possible = facts.possible.flatMap((each) => lookUp(t.error.possible, each, "") || []);
    const line = t.error.wrongState(lookUp(t.error.what, facts.what, "thing"), possible.join(" / "));
    return { toast: { type: "info", content: line }, line, http: 409, job: "skip", redraw: true };
  },
  invalid_input: (facts, t) => {
    const wanted = t.error.invalidInput(lookUp(t.error.expected, facts.expected, "other"), facts.example);
    // A form holds many settings: which of them is meant has to be said.
    const setting = facts.expected === `settings.${facts.path}` ? lookUp(t.settings.label, facts.path, "") : "";
    const line = setting === "" ? wanted : t.error.ofSetting(setting, wanted);
    return { toast: { type: "error", content: line }, line, http: 422, job: "fail", redraw: false };
  },
  limit_reached: (facts, t, when) => {
    const line = t.error.limitReached(facts.most, facts.until === undefined ? "" : when(facts.until));
    return { toast: { type: "info", content: line }, line, http: 429, job: "later", redraw: false };
  },
  unavailable: (facts, t) => {
    const known: Readonly<Record<string, string>> = facts.what === "hermes" ? t.error.hermesWhy : {};
    const line = known[facts.why] ?? lookUp(t.error.unavailable, facts.what, "other");
    return { toast: { type: "error", content: line }, line, http: 503, job: "later", redraw: false };
  },
};

/** Words for a refusal, in the reader's language. `when` writes an instant for that reader. */
export function presentError(error: EngineError, t: Texts, when: (at: Date) => string): Presented {
  // The compiler cannot follow that facts and presenter belong to the same code.
  const present = presenters[error.code] as Presenter<EngineErrorCode>;
  return present(error.facts, t, when);
}

/** The words for a key; those of `fallback` for a key that has none. */
function lookUp(texts: Readonly<Record<string, string>>, key: string, fallback: string): string {
  return texts[key] ?? texts[fallback] ?? "";
}
