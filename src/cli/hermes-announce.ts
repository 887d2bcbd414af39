import type { Config } from "../config.ts";
import { listPeople } from "../engine/people/know-person.ts";
import { asActor } from "../engine/people/person.ts";
import { changeSettings } from "../engine/settings.ts";
import { createLog } from "../log.ts";
import { hermesHomeOf, openScope } from "../open-scope.ts";
import { processClock } from "../process-clock.ts";
import { textsFor } from "../text/pick.ts";
import type { HermesAnswer } from "./hermes.ts";

/**
 * `herald hermes announce on|off`: whether Hermes says what it is about to do before long work. Whoever may run commands
 * on this machine acts for the owner; new sessions of Hermes follow within a minute.
 */
export async function hermesAnnounce(config: Config, word: string): Promise<HermesAnswer> {
  const { hermes: t } = textsFor(config.terminal ?? config.language);
  if (word !== "on" && word !== "off") return { ok: false, lines: [t.announce.expected(word)] };
  const { scope, close } = await openScope(config, {
    clock: processClock(),
    log: createLog({ level: "silent", secrets: config.secrets }),
    hermesHome: hermesHomeOf(config),
  });
  try {
    const owner = (await listPeople(scope)).find((person) => person.role === "owner");
    if (!owner) return { ok: false, lines: [t.announce.noOwner] };
    await changeSettings(scope, asActor(owner), { announceWork: word === "on" });
    return { ok: true, lines: [t.announce[word]] };
  } finally {
    await close();
  }
}
