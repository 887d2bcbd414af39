import { AUDIT_LINES_PER_PAGE, type AuditLineView, type AuditView } from "../../cards/audit-card.ts";
import type { CardPost } from "../../engine/card-posts.ts";
import { type AuditLine, listAudit } from "../../engine/list-audit.ts";
import { namesOf } from "../../engine/people/know-person.ts";
import { may } from "../../engine/people/person.ts";
import { pageOf } from "./page-of.ts";
import { type ViewContext, whoIs } from "./view-context.ts";
import { viewerActor } from "./viewer.ts";

/** One page of the record of changes; undefined when the reader may not see it (any more). */
export async function auditView(context: ViewContext, post: CardPost): Promise<AuditView | undefined> {
  const { scope } = context;
  const viewer = await viewerActor(scope, post.view);
  if (viewer === undefined || !may(viewer.actor, "audit.read")) return undefined;
  const page = pageOf(post.view);
  const { lines, pages } = await listAudit(scope, viewer.actor, { page, perPage: AUDIT_LINES_PER_PAGE });
  const people = lines.flatMap((line) => [line.actorId, line.subjectKind === "person" ? line.subjectId : null]);
  const names = await namesOf(
    scope,
    people.filter((id) => id !== null),
  );
  const numbers = await numbersOf(context, lines);
  return { page, pages, lines: lines.map((line) => lineView(context, line, names, numbers)) };
}

function lineView(
  context: ViewContext,
  line: AuditLine,
  names: ReadonlyMap<string, string>,
  numbers: ReadonlyMap<string, number>,
): AuditLineView {
  const about = aboutOf(line, names, numbers);
  const [before, after] = [written(line.before), written(line.after)];
  return {
    at: line.at,
    what: line.what,
    by: byOf(context, line, names),
    ...(about !== undefined && { about }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}

function byOf(context: ViewContext, line: AuditLine, names: ReadonlyMap<string, string>): AuditLineView["by"] {
  if (line.actorKind === "worker" || line.actorKind === "job" || line.actorId === null) {
    return line.actorKind === "worker" ? "worker" : "job";
  }
  const who = whoIs(context, line.actorId, names);
  return line.actorKind === "agent" ? { who, through: "agent" } : { who };
}

function aboutOf(
  { subjectKind, subjectId }: AuditLine,
  names: ReadonlyMap<string, string>,
  numbers: ReadonlyMap<string, number>,
): string | undefined {
  if (subjectId === null) return undefined;
  if (subjectKind === "person") return names.get(subjectId) ?? subjectId;
  if (subjectKind === "setting" || subjectKind === "preferences") return subjectId;
  const number = numbers.get(subjectId);
  return number === undefined ? undefined : `#${number}`;
}

/** What people call the matters of these lines. */
async function numbersOf({ scope }: ViewContext, lines: readonly AuditLine[]): Promise<ReadonlyMap<string, number>> {
  const ids = lines.flatMap((line) => (line.subjectKind === "item" && line.subjectId !== null ? [line.subjectId] : []));
  if (ids.length === 0) return new Map();
  const rows = await scope.db.trackingItem.findMany({
    where: { agentId: scope.agent.id, id: { in: ids } },
    select: { id: true, number: true },
  });
  return new Map(rows.map((row) => [row.id, row.number]));
}

/** The values of a change in a few words: what stands alone, else name and value. */
function written(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const parts = Object.entries(value).flatMap(([name, each]) => {
    if (each === null || each === undefined) return [];
    const text = typeof each === "object" ? JSON.stringify(each) : String(each);
    return [name === "value" || name === "role" ? text : `${name}: ${text}`];
  });
  return parts.length === 0 ? undefined : parts.join(", ");
}
