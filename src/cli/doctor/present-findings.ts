import type { Texts } from "../../text/pick.ts";
import type { Finding, Trouble } from "./finding.ts";

const SIGNS = { ok: "✓", left_out: "–", warn: "!", fail: "✗" } as const;

/** A line for each finding; what needs somebody has a second one that says what to do. */
export function presentFindings(findings: readonly Finding[], t: Texts["doctor"]): string[] {
  const lines = findings.flatMap((finding) => {
    const head = `${SIGNS[finding.state]} ${t.check[finding.check]}`;
    if (!("problem" in finding)) {
      const fine = finding.state === "left_out" ? t.leftOut : t.fine[finding.check](finding.facts);
      return [`${head}${t.colon}${fine}`];
    }
    const { what, todo } = wordsOf(finding, t);
    return [`${head}${t.colon}${what}`, `    → ${todo}`];
  });
  const count = (state: Finding["state"]): number => findings.filter((finding) => finding.state === state).length;
  return [...lines, "", t.summary(count("fail"), count("warn"))];
}

/** The words of a finding that needs somebody. */
export function wordsOf(finding: Trouble, t: Texts["doctor"]): { what: string; todo: string } {
  const words = t.problem[finding.problem];
  return { what: words.what(finding.facts), todo: words.todo(finding.facts) };
}
