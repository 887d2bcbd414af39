import { header, line, note, row, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Button, Card, Element } from "./card.ts";
import { type Block, fitCard } from "./fit-card.ts";
import type { Look } from "./look.ts";
import { nameOf, type Who } from "./who.ts";

export type MemberRole = "owner" | "admin" | "member";

export type MemberView = {
  readonly openId: string;
  readonly who: Who;
  readonly role: MemberRole;
  readonly since: Date;
  /** What the reader may do about them. */
  readonly may: { readonly revoke: boolean; readonly changeRole: boolean };
};

export type StrangerView = { readonly openId: string; readonly at: Date };

export type MembersView = {
  readonly members: readonly MemberView[];
  readonly strangers: readonly StrangerView[];
  readonly mayGrant: boolean;
};

/** Who is served in which role, and who knocked; each with what may be done about it. */
export function membersCard(view: MembersView, look: Look): Card {
  const blocks: Block[] = view.members.map((member) => ({ stands: 1, elements: memberRows(member, look) }));
  blocks.push({ stands: 0, elements: [line(), words(look, (t) => t.people.strangers, { size: "heading" })] });
  if (view.strangers.length === 0) blocks.push({ stands: 0, elements: [note(look, (t) => t.people.noStrangers)] });
  else blocks.push({ stands: 0, elements: [note(look, (t) => t.people.strangersHint)] });
  for (const stranger of view.strangers)
    blocks.push({ stands: 1, elements: strangerRows(stranger, view.mayGrant, look) });
  if (view.mayGrant) blocks.push({ stands: 0, elements: [note(look, (t) => t.people.howToGrant)] });
  return fitCard(look, {
    header: header(look, "blue", (t) => t.people.title),
    summary: (t) => t.people.title,
    blocks,
  });
}

function memberRows({ openId, who, role, since, may }: MemberView, look: Look): Element[] {
  const buttons: Button[] = [];
  if (may.changeRole && role !== "owner") {
    const other = role === "admin" ? "member" : "admin";
    buttons.push(
      actionButton("people.grant", { openId, role: other }, look, {
        label: (t) => (other === "admin" ? t.people.makeAdmin : t.people.makeMember),
      }),
    );
  }
  if (may.revoke) {
    buttons.push(
      actionButton("people.revoke", { openId }, look, {
        label: (t) => t.people.revoke,
        style: "danger_text",
        confirm: {
          title: (t) => t.people.revoke,
          text: (t, f) => t.people.revokeConfirm(nameOf(who)(t, f)),
        },
      }),
    );
  }
  return [
    words(look, (t, f) => `${nameOf(who)(t, f)} · ${t.command.role[role]}`),
    note(look, (t, f) => `${openId} · ${t.people.since(f.moment(since))}`),
    ...(buttons.length > 0 ? [row(buttons)] : []),
  ];
}

function strangerRows({ openId, at }: StrangerView, mayGrant: boolean, look: Look): Element[] {
  return [
    words(look, (_t, f) => `${openId} · ${f.moment(at)}`),
    ...(mayGrant
      ? [
          row([
            actionButton("people.grant", { openId, role: "member" }, look, {
              label: (t) => t.people.letIn,
              style: "primary",
            }),
          ]),
        ]
      : []),
  ];
}
