import type { MembersView, MemberView } from "../../cards/members-card.ts";
import type { CardPost } from "../../engine/card-posts.ts";
import { listPeople } from "../../engine/people/know-person.ts";
import { listStrangers } from "../../engine/people/list-strangers.ts";
import { may } from "../../engine/people/person.ts";
import { type ViewContext, whoIs } from "./view-context.ts";
import { viewerActor } from "./viewer.ts";

const MOST_STRANGERS = 5;

/** Who is served and who knocked, with what the reader may do; undefined when the reader may not see it (any more). */
export async function membersView(context: ViewContext, post: CardPost): Promise<MembersView | undefined> {
  const { scope } = context;
  const viewer = await viewerActor(scope, post.view);
  if (viewer === undefined || !may(viewer.actor, "people.list")) return undefined;
  const people = await listPeople(scope);
  const names = new Map(people.flatMap((person) => (person.name === null ? [] : [[person.openId, person.name]])));
  const isOwner = viewer.actor.role === "owner";
  const members = people.map((person): MemberView => {
    const other = person.openId !== viewer.actor.openId;
    return {
      openId: person.openId,
      who: whoIs(context, person.openId, names),
      role: person.role,
      since: person.createdAt,
      may: { revoke: other && (isOwner || person.role === "member"), changeRole: other && isOwner },
    };
  });
  return {
    members,
    strangers: await listStrangers(scope, MOST_STRANGERS),
    mayGrant: may(viewer.actor, "people.grant"),
  };
}
