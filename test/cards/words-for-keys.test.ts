import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { auditVerbs } from "../../src/engine/audit.ts";
import { decisionReasons, documentNames, silences, tickReasons } from "../../src/engine/proactive/run.ts";
import { settingNames } from "../../src/engine/settings.ts";
import { jobTable } from "../../src/jobs.ts";
import { LANGUAGES, textsFor } from "../../src/text/pick.ts";

const jobs = jobTable({} as Parameters<typeof jobTable>[0]).map((job) => job.name);

/** The values of a field that the code of engine and bot writes down, in refusals. */
function written(field: RegExp): string[] {
  const found = ["src/engine", "src/bot"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .flatMap((path) =>
        [...readFileSync(join(folder, path), "utf8").matchAll(field)].flatMap(([, value]) => value ?? []),
      ),
  );
  expect(found.length).toBeGreaterThan(2);
  return [...new Set(found)];
}

/** Keys that are stored and shown later: the cards hold a word for each, and show an unknown one as it is. */
describe.each(LANGUAGES)("in %s", (language) => {
  const { card, error, people } = textsFor(language);

  test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ["reason for a decision", decisionReasons, card.reasons],
    ["reason for silence", silences, card.reasons],
    ["reason for a run", tickReasons, card.run.reasons],
    ["document of a run", documentNames, card.documents],
    ["background job", jobs, card.status.jobNames],
    ["change on record", auditVerbs, people.audit.verb],
    ["setting", settingNames.map((name) => `settings.${name}`), error.expected],
    ["expectation in a refusal", written(/\bexpect(?:ed|s): "([\w.]+)"/g), error.expected],
    [
      "thing that is not found or in the wrong state",
      written(/"(?:not_found|wrong_state)", \{\s*what: "([\w.]+)"/g),
      error.what,
    ],
    ["way out of a wrong state", written(/possible: \["([\w.]+)"\]/g), error.possible],
  ])("every %s has a word", (_, keys, words) => {
    expect(keys.filter((key) => !Object.hasOwn(words, key))).toEqual([]);
  });
});
