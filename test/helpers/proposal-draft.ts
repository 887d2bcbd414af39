import type { Change } from "../../src/engine/evolution/change-kinds.ts";
import { type Day, dayOf } from "../../src/engine/evolution/day-of.ts";
import { riskOf } from "../../src/engine/evolution/draft.ts";
import type { AllowedDraft } from "../../src/engine/evolution/keep-proposals.ts";

const day = dayOf("2026-11-29", "Asia/Shanghai") as Day;

/** A proposal of any change, drafted from three invented sessions. */
export const proposalDraft = {
  day,
  of(change: Change, more: { title?: string; fingerprint?: string; scope?: string } = {}): AllowedDraft {
    const sessions = ["s1", "s2", "s3"];
    return {
      draft: {
        change,
        title: more.title ?? "A change",
        description: "Because of three sessions.",
        expectedEffect: "Fewer steps",
        risk: riskOf(change),
        cause: {
          kind: "reads",
          key: "reads|read_file",
          scope: more.scope ?? "read_file",
          about: "src/a.ts",
          count: 3,
          sessions,
          successes: 0,
          quotes: [],
          from: day.from,
          to: day.to,
          ms: 0,
          fingerprint: more.fingerprint ?? "fp",
          dates: [day.date],
          allSessions: sessions,
          total: 3,
          lasting: true,
        },
        measure: { metric: "composite", categories: [] },
        draftedBy: "rules",
      },
    };
  },
};
