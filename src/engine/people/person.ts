import { z } from "zod";
import { EngineError } from "../errors.ts";
import type { Actor, Language, PersonActor, Role } from "../scope.ts";

export const roles = ["member", "admin", "owner"] as const satisfies readonly Role[];

export const personSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  openId: z.string(),
  unionId: z.string().nullable(),
  name: z.string().nullable(),
  role: z.enum(roles),
  language: z.enum(["zh", "en"]).nullable().catch(null),
  zone: z.string().nullable(),
  directChatId: z.string().nullable(),
  createdAt: z.date(),
  revokedAt: z.date().nullable(),
});

export type Person = z.infer<typeof personSchema>;

interface Right {
  /** The least role that may. */
  least: Role;
  /** A model or the rules may, without any person's word. */
  worker?: true;
  /** A background job may. */
  job?: true;
}

/** Who may do what: the one table. Whose matters a person sees is a second question, answered by `tracking/audience.ts`. */
export const rights = {
  "item.open": { least: "member", worker: true },
  "item.update": { least: "member", worker: true },
  "item.decide": { least: "member" },
  "item.list": { least: "member" },
  "remind.set": { least: "member" },
  chat: { least: "member" },
  /** hand a slash command through to Hermes: some of them change how it works for everybody */
  "hermes.command": { least: "admin" },
  /** end or repeat what somebody else asked for */
  "turn.of_others": { least: "admin" },
  /** say who may let Hermes run commands */
  "approvers.change": { least: "owner" },
  "help.read": { least: "member" },
  "language.set": { least: "member" },
  "zone.set": { least: "member" },
  "goal.set": { least: "member" },
  /** steer a goal somebody else set */
  "goal.of_others": { least: "admin" },
  "tick.run": { least: "admin", job: true },
  "runs.read": { least: "admin" },
  "status.read": { least: "admin" },
  "settings.change": { least: "admin" },
  "prefs.edit": { least: "admin" },
  "pause.set": { least: "admin" },
  "people.list": { least: "admin" },
  "people.grant": { least: "admin" },
  "people.revoke": { least: "admin" },
  "audit.read": { least: "admin" },
  "evolution.read": { least: "admin" },
  "dream.run": { least: "admin", job: true },
  "proposal.decide": { least: "admin" },
  "proposal.revert": { least: "admin", job: true },
  "strategy.switch": { least: "admin" },
  "backup.make": { least: "owner", job: true },
} as const satisfies Record<string, Right>;

export type ActionName = keyof typeof rights;

/** True when this actor may. An agent may what the person whose words it acts on may. */
export function may(who: Actor, action: ActionName): boolean {
  const right: Right = rights[action];
  switch (who.kind) {
    case "person":
      return isAtLeast(who.role, right.least);
    case "agent":
      return isAtLeast(who.onWordsOf.role, right.least);
    case "worker":
      return right.worker === true;
    case "job":
      return right.job === true;
  }
}

/** @throws EngineError forbidden, naming the least role that may */
export function assertMay(who: Actor, action: ActionName): void {
  if (!may(who, action)) throw new EngineError("forbidden", { action, need: rights[action].least });
}

export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** The person whose word this is: themselves, or the one the agent speaks for. Undefined for workers and jobs. */
export function personBehind(who: Actor): PersonActor | undefined {
  if (who.kind === "person") return who;
  return who.kind === "agent" ? who.onWordsOf : undefined;
}

/** A person as an actor, with the role the database holds now. */
export function asActor(person: Pick<Person, "openId" | "role" | "name">): PersonActor {
  return { kind: "person", openId: person.openId, role: person.role, ...(person.name && { name: person.name }) };
}

export function languageOf(person: Pick<Person, "language"> | undefined, otherwise: Language): Language {
  return person?.language ?? otherwise;
}
