import type { Texts } from "../../text/pick.ts";

/** What is looked at, in the order it is shown. */
export const CHECKS = [
  "config",
  "node",
  "folder",
  "disk",
  "database",
  "server",
  "clock",
  "feishu",
  "bot",
  "scopes",
  "events",
  "callbacks",
  "rival",
  "owner",
  "hermes",
  "store",
  "plugin",
  "gateway",
  "api",
  "model",
  "looks",
] as const;
export type CheckName = (typeof CHECKS)[number];

/** A problem the doctor knows by name; its words and what to do about it stand in the texts under `doctor.problem`. */
export type ProblemName = keyof Texts["doctor"]["problem"];

/** Values that stand in a finding's words. Secrets are never among them. */
export type Facts = Readonly<Record<string, string | number>>;

/** A finding that needs somebody. */
export type Trouble = Extract<Finding, { readonly problem: ProblemName }>;

/**
 * How one thing stands. `ok` and `left_out` (not to be looked at here, or nothing to look at) need nothing; `warn` works
 * but hardly as meant; `fail` keeps a part of Herald from working.
 */
export type Finding =
  | { readonly check: CheckName; readonly state: "ok" | "left_out"; readonly facts: Facts }
  | {
      readonly check: CheckName;
      readonly state: "warn" | "fail";
      readonly problem: ProblemName;
      readonly facts: Facts;
    };

export function ok(check: CheckName, facts: Facts = {}): Finding {
  return { check, state: "ok", facts };
}

export function leftOut(check: CheckName, facts: Facts = {}): Finding {
  return { check, state: "left_out", facts };
}

export function warn(check: CheckName, problem: ProblemName, facts: Facts = {}): Finding {
  return { check, state: "warn", problem, facts };
}

export function fail(check: CheckName, problem: ProblemName, facts: Facts = {}): Finding {
  return { check, state: "fail", problem, facts };
}
