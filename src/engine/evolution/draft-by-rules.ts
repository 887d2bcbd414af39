import type { Texts } from "../../text/pick.ts";
import type { Strategy } from "../strategy/rule.ts";
import type { Change } from "./change-kinds.ts";
import { type Draft, riskOf } from "./draft.ts";
import { chainKinds } from "./find-waste.ts";
import type { WeighedCause } from "./weigh-causes.ts";

/** A lesson of what not to do ends after this, and is looked at anew. */
export const LESSON_DAYS = 30;
/** Sessions in which something was seen before it is drafted from. */
const SEEN_IN = 2;
const WORKED_IN = 3;
const CORRECTED_IN = 3;
const READS_WASTED = 3;
const SLOW_TOTAL_MS = 3 * 60_000;

type Words = Texts["evolution"]["draft"];
type Wording = { title: string; description: string; effect: string };

/** What the figures alone propose about a cause; undefined when they do not suffice for anything. */
export function draftByRules(cause: WeighedCause, words: Words, now: Date): Draft | undefined {
  const made = changeFor(cause, words, now);
  if (!made) return undefined;
  const { change, wording } = made;
  return {
    change,
    title: wording.title,
    description: wording.description,
    expectedEffect: wording.effect,
    risk: riskOf(change),
    cause,
    measure: { metric: "composite", categories: cause.kind === "correction" ? [cause.scope] : [] },
    draftedBy: "rules",
  };
}

function changeFor(cause: WeighedCause, words: Words, now: Date): { change: Change; wording: Wording } | undefined {
  const seen = cause.allSessions.length;
  const { count, about, scope } = { count: cause.total, about: cause.about, scope: cause.scope };
  switch (cause.kind) {
    case "failure": {
      if (!cause.lasting || seen < SEEN_IN || cause.failure === undefined) return undefined;
      const hint = words.failure.hint(scope, cause.failure);
      return strategy(cause, words.failure.wording(scope, cause.failure, count, seen), hint, now, true);
    }
    case "loop":
      if (seen < SEEN_IN) return undefined;
      return strategy(cause, words.loop.wording(scope, count, seen), words.loop.hint(scope), now, false);
    case "chain":
      if (seen < SEEN_IN) return undefined;
      return strategy(cause, words.chain.wording(scope, count, seen), words.chain.hint(scope), now, false);
    case "slow":
      if (seen < SEEN_IN || cause.ms < SLOW_TOTAL_MS) return undefined;
      return strategy(
        cause,
        words.slow.wording(scope, count, Math.round(cause.ms / 60_000)),
        words.slow.hint(scope),
        now,
        false,
      );
    case "correction":
      if (seen < CORRECTED_IN) return undefined;
      return strategy(cause, words.correction.wording(scope, count, seen), words.correction.hint(scope), now, false);
    case "reads":
      if (cause.total < READS_WASTED) return undefined;
      return preference(words.reads.wording(about, count, seen), words.reads.line);
    case "searches":
      if (cause.total < READS_WASTED) return undefined;
      return preference(words.searches.wording(about, count, seen), words.searches.line);
    case "redundant": {
      const kind = chainKinds.find((each) => each === scope);
      if (!kind || cause.total < SEEN_IN) return undefined;
      return preference(words.redundant.wording(kind, count, seen), words.redundant.lines[kind]);
    }
    case "success":
      if (seen < WORKED_IN) return undefined;
      return skill(cause, words);
    case "statement":
      if (seen < SEEN_IN) return undefined;
      return {
        change: { type: "memory_update", payload: { action: "add", file: "user", text: sentence(about) } },
        wording: words.statement.wording(about, seen),
      };
  }
}

function strategy(
  cause: WeighedCause,
  wording: Wording,
  hint: string,
  now: Date,
  negative: boolean,
): { change: Change; wording: Wording } {
  const keywords = keywordsOf(cause.scope);
  const rule: Strategy = {
    id: `${cause.kind}-${cause.fingerprint.slice(0, 10)}`,
    title: wording.title.slice(0, 120),
    hint,
    level: "warn",
    priority: Math.min(90, 40 + cause.allSessions.length * 5),
    when: keywords.length > 0 ? [{ on: "text", op: "contains", any: keywords }] : [],
    scope: cause.scope.slice(0, 120),
    cause: cause.fingerprint,
    negative,
    enabled: true,
    ...(negative && { expiresAt: new Date(now.getTime() + LESSON_DAYS * 86_400_000) }),
  };
  return { change: { type: "strategy_adjust", payload: { add: [rule], remove: [] } }, wording };
}

/** Words of wishes that lead to such work; a turn without any of them is left alone. */
const WORK_WORDS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^(?:terminal|shell|bash|exec)/,
    [
      "依赖",
      "安装",
      "构建",
      "编译",
      "测试",
      "部署",
      "发布",
      "运行",
      "脚本",
      "install",
      "build",
      "test",
      "deploy",
      "release",
      "run",
    ],
  ],
  [/^(?:web|browser|fetch|search)/, ["查", "搜", "网页", "找", "价格", "search", "look up", "find", "fetch", "page"]],
];

/** By what a turn about the same thing is recognised; nothing when everything could be. */
function keywordsOf(scope: string): string[] {
  const words = WORK_WORDS.find(([place]) => place.test(scope))?.[1];
  if (!words) return [];
  const [, ...named] = scope.split(" ");
  return [...named.filter((word) => word.length >= 3 && !words.includes(word)).slice(0, 4), ...words];
}

function preference(wording: Wording, line: string): { change: Change; wording: Wording } {
  return { change: { type: "tool_preference", payload: { action: "add", text: line } }, wording };
}

function skill(cause: WeighedCause, words: Words): { change: Change; wording: Wording } {
  const steps = cause.about.split(" → ");
  const wording = words.success.wording(steps, cause.allSessions.length);
  const name = `${cause.scope}-${cause.fingerprint.slice(0, 8)}`.toLowerCase().replace(/[^a-z0-9._-]/g, "x");
  const examples = cause.quotes.filter((quote) => quote.role === "user").map((quote) => quote.quote);
  return {
    change: {
      type: "skill_create",
      payload: {
        action: "create",
        name,
        description: words.success.about(steps),
        body: words.success.body(steps, examples),
        files: [],
      },
    },
    wording,
  };
}

/** With a full stop, as an entry is written. */
function sentence(text: string): string {
  const plain = text.trim().replace(/[，,；;、]+$/u, "");
  if (/[。.!！?？]$/u.test(plain)) return plain;
  return /\p{Script=Han}/u.test(plain) ? `${plain}。` : `${plain}.`;
}
