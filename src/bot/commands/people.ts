import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import { grantRole } from "../../engine/people/grant-role.ts";
import { listPeople } from "../../engine/people/know-person.ts";
import { revokeRole } from "../../engine/people/revoke-role.ts";
import { setZone } from "../../engine/people/set-zone.ts";
import { readSettings } from "../../engine/settings.ts";
import { type CommandContext, defineCommand } from "../command.ts";

const ROLE_WORDS: Readonly<Record<string, "owner" | "admin" | "member">> = {
  owner: "owner",
  所有者: "owner",
  admin: "admin",
  管理员: "admin",
  member: "member",
  成员: "member",
};

export const members = defineCommand({
  name: "members",
  needs: "people.list",
  usage: "/members",
  summary: (t) => t.people.summary.members,
  example: "/members",
  expects: "nothing",
  args: z.literal(""),
  run: async ({ who }) => ({
    card: { subject: { kind: "members", id: who.openId }, view: { viewer: who.openId } },
  }),
});

export const grant = defineCommand({
  name: "grant",
  needs: "people.grant",
  usage: "/grant <@person|open_id|name> [member|admin|owner]",
  summary: (t) => t.people.summary.grant,
  example: "/grant ou_1234 member",
  expects: "person.role",
  args: z.string().transform((rest, context) => {
    const words = rest
      .trim()
      .split(/\s+/u)
      .filter((word) => word !== "");
    const role = ROLE_WORDS[words.at(-1)?.toLowerCase() ?? ""];
    if (role !== undefined) words.pop();
    // A last word that looks like a role but is none must not become part of a name.
    if (role === undefined && words.length > 1) {
      context.addIssue({ code: "custom", message: "role" });
      return z.NEVER;
    }
    return { person: words.join(" "), role: role ?? "member" };
  }),
  async run(ctx, { person, role }) {
    const { scope, who, reader } = ctx;
    const to = await personNamed(ctx, person, "/grant ou_1234 member");
    const { outcome, person: now } = await grantRole(scope, who, { ...to, role });
    const words = outcome === "granted" ? reader.t.people.granted : reader.t.people.alreadyHas;
    return { line: words(now.name ?? to.openId, reader.t.command.role[role]) };
  },
});

export const revoke = defineCommand({
  name: "revoke",
  needs: "people.revoke",
  usage: "/revoke <@person|open_id|name>",
  summary: (t) => t.people.summary.revoke,
  example: "/revoke ou_1234",
  expects: "person",
  args: z.string(),
  async run(ctx, given) {
    const { scope, who, reader } = ctx;
    const from = await personNamed(ctx, given.trim(), "/revoke ou_1234");
    if (from.openId === who.openId) return { line: reader.t.people.notYourself };
    const { outcome } = await revokeRole(scope, who, from);
    const words = outcome === "revoked" ? reader.t.people.revoked : reader.t.people.alreadyRevoked;
    return { line: words(from.name ?? from.openId) };
  },
});

export const audit = defineCommand({
  name: "audit",
  needs: "audit.read",
  usage: "/audit",
  summary: (t) => t.people.summary.audit,
  example: "/audit",
  expects: "nothing",
  args: z.literal(""),
  run: async ({ who }) => ({
    card: { subject: { kind: "audit", id: who.openId }, view: { viewer: who.openId, page: 1 } },
  }),
});

export const zone = defineCommand({
  name: "zone",
  needs: "zone.set",
  usage: "/zone [Area/City|default]",
  summary: (t) => t.people.summary.zone,
  example: "/zone Asia/Shanghai",
  expects: "settings.zone",
  args: z.string().max(100),
  async run({ scope, who, reader }, given) {
    const { people } = reader.t;
    if (given === "") return { line: people.zoneShow(reader.zone, "/zone Asia/Shanghai") };
    const isDefault = /^(?:default|默认)$/i.test(given);
    await setZone(scope, who, isDefault ? undefined : given);
    return { line: isDefault ? people.zoneBack((await readSettings(scope)).zone) : people.zoneSet(given) };
  },
});

/**
 * The one person meant: mentioned in the message, or by open_id, or by the whole name of somebody who is known.
 * @throws EngineError invalid_input · not_found
 */
async function personNamed(
  { scope, mentions }: CommandContext,
  given: string,
  example: string,
): Promise<{ openId: string; name?: string }> {
  const [mentioned] = mentions;
  if (mentioned !== undefined) return mentioned;
  if (/^ou_[\w-]{1,60}$/.test(given)) return { openId: given };
  if (given === "") throw new EngineError("invalid_input", { path: "person", expected: "person", example });
  const people = await listPeople(scope);
  const named = people.filter((person) => person.name?.toLowerCase() === given.toLowerCase());
  if (named.length === 1 && named[0] !== undefined) return { openId: named[0].openId };
  const near = (named.length > 1 ? named : people).flatMap((person) =>
    person.name ? [`${person.name} ${person.openId}`] : [],
  );
  throw new EngineError("not_found", { what: "person", given, near: near.slice(0, 3) });
}
