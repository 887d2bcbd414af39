/**
 * Everything the engine can refuse. A code and facts, no prose: the words live with the texts, chosen by
 * `bot/present-error.ts`. Something already done is a result, not an error; bugs stay ordinary errors.
 */
export type EngineErrorFacts = {
  /** The person may not do this. `need` is the least role that may. */
  forbidden: { action: string; need: "owner" | "admin" | "member" };
  /** No such thing (any more). `near` are things that do exist and look alike. */
  not_found: { what: string; given?: string; near?: readonly string[] };
  /** What the person saw is not what stands now: show them the present state. */
  changed_since_seen: { what: string; id: string };
  /** Not possible in the present state. `possible` names what is. */
  wrong_state: { what: string; state: string; possible: readonly string[] };
  /** `path` is the field, `expected` a key of the texts, `example` something that would have been taken. */
  invalid_input: { path: string; expected: string; given?: string; example: string };
  /** `until` is when it will be possible again. */
  limit_reached: { limit: string; most: number; until?: Date };
  /** `what`: hermes | history | model | feishu | database. */
  unavailable: { what: string; why: string };
};

export type EngineErrorCode = keyof EngineErrorFacts;

/** A refusal of the engine. `code` is from a closed list, `facts` belong to the code. */
export class EngineError<C extends EngineErrorCode = EngineErrorCode> extends Error {
  readonly code: C;
  readonly facts: EngineErrorFacts[C];

  constructor(code: C, facts: EngineErrorFacts[C], options?: { cause?: unknown }) {
    super(`${code} ${JSON.stringify(facts)}`, options);
    this.name = "EngineError";
    this.code = code;
    this.facts = facts;
  }
}

/** Narrows an unknown error to one code, so that its facts are typed. */
export function isEngineError<C extends EngineErrorCode>(error: unknown, code: C): error is EngineError<C> {
  return error instanceof EngineError && error.code === code;
}
