import { describe, expect, test } from "vitest";
import { decisionReasons, documentNames, silences, tickReasons } from "../../src/engine/proactive/run.ts";
import { jobTable } from "../../src/jobs.ts";
import { LANGUAGES, textsFor } from "../../src/text/pick.ts";

const jobs = jobTable({} as Parameters<typeof jobTable>[0]).map((job) => job.name);

/** Keys that are stored and shown later: the cards hold a word for each, and show an unknown one as it is. */
describe.each(LANGUAGES)("in %s", (language) => {
  const { card } = textsFor(language);

  test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ["reason for a decision", decisionReasons, card.reasons],
    ["reason for silence", silences, card.reasons],
    ["reason for a run", tickReasons, card.run.reasons],
    ["document of a run", documentNames, card.documents],
    ["background job", jobs, card.status.jobNames],
  ])("every %s has a word", (_, keys, words) => {
    expect(keys.filter((key) => !Object.hasOwn(words, key))).toEqual([]);
  });
});
