import { adviseTurn } from "../../src/engine/strategy/advise-turn.ts";
import { guardToolCall } from "../../src/engine/strategy/guard-tool-call.ts";
import { type Condition, type Strategy, strategySchema } from "../../src/engine/strategy/rule.ts";
import { type Bench, median, type Result, type Target } from "./result.ts";

const NOW = new Date("2026-05-05T00:00:00Z");
const WORDS = ["deploy", "release", "invoice", "报价", "合同", "build", "test", "weather", "会议", "backup"] as const;

/**
 * The rule engine: hints for a turn and the guard of a call, by the number of rules and the length of the text. A fifth of
 * the rules carry a pattern, more patterns than are kept compiled from 1,000 rules on.
 */
export const bench: Bench = async ({ quick }) => {
  const rows: Result["rows"][number][] = [];
  const took = new Map<string, number>();
  for (const count of [50, 1_000]) {
    const rounds = Math.round((quick ? 5_000 : 25_000) / count);
    const rules = Array.from({ length: count }, (_, n) => rule(n));
    for (const chars of [200, 2_000, 100_000]) {
      const text = "please look at the report and tell me what is missing 请看一下 ".repeat(chars).slice(0, chars);
      const hints = timed(rounds, () => adviseTurn(rules, { platform: "feishu", model: "m", text }, NOW));
      const guard = timed(rounds, () => guardToolCall(rules, { tool: "terminal", input: text }, NOW));
      took.set(`${count} ${chars}`, hints);
      rows.push([count, chars, hints, guard]);
    }
  }
  const ratio = (one: string, other: string): number => (took.get(one) ?? 0) / (took.get(other) ?? 1);
  const targets: Target[] = [
    { id: "R1", what: "hints, 50 rules, 2,000 characters", value: took.get("50 2000") ?? 0, atMost: 1_000, unit: "µs" },
    { id: "R2", what: "100,000 ÷ 2,000 characters", value: ratio("50 100000", "50 2000"), atMost: 1.5, unit: "×" },
    { id: "R3", what: "1,000 ÷ 50 rules", value: ratio("1000 2000", "50 2000"), atMost: 30, unit: "×" },
  ];
  const columns = ["rules", "characters", "hints µs", "guard µs"];
  return [{ title: "The rule engine, nothing fits (all rules are tried)", columns, rows, targets }];
};

function rule(n: number): Strategy {
  const word = `${WORDS[n % WORDS.length]}-${n}`;
  const block = n % 10 === 0;
  const on = block ? "input" : "text";
  const when: Condition[] =
    n % 5 === 1
      ? [{ on: "text", op: "regex_match", any: [`(?:${word}|x${n})\\s+\\d{2,}$`] }]
      : [
          { on: block ? "tool" : "platform", op: "equals", any: [block ? "terminal" : "feishu"] },
          { on, op: "contains", any: [word, `${word}s`] },
        ];
  return strategySchema.parse({
    id: `r${n}`,
    title: word,
    hint: `Say ${word}.`,
    level: block ? "block" : "warn",
    priority: n % 100,
    when,
    scope: "bench",
  });
}

/** Middle of some rounds, µs. */
function timed(rounds: number, act: () => unknown): number {
  const times: number[] = [];
  for (let n = 0; n < rounds + 3; n++) {
    const begun = performance.now();
    act();
    if (n >= 3) times.push(1_000 * (performance.now() - begun));
  }
  return median(times);
}
