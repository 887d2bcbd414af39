import { AUDIT_LINES_PER_PAGE, type AuditFields, type AuditLineView, type AuditView } from "../../cards/audit-card.ts";
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
  const [before, after] = [fieldsOf(line.before), fieldsOf(line.after)];
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
  { subjectKind, subjectId, actorId }: AuditLine,
  names: ReadonlyMap<string, string>,
  numbers: ReadonlyMap<string, number>,
): string | undefined {
  if (subjectId === null) return undefined;
  // A change to oneself needs no second mention.
  if (subjectKind === "person" && subjectId === actorId) return undefined;
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

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** The fields of a change that are values of their own; instants as such. */
function fieldsOf(value: unknown): AuditFields | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = Object.entries(value).flatMap(([name, each]): [string, string | Date][] => {
    if (each === null || each === undefined) return [];
    if (Array.isArray(each)) return [[name, each.join(", ")]];
    if (typeof each === "object") return [];
    const text = String(each);
    return [[name, INSTANT.test(text) ? new Date(text) : text]];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}
