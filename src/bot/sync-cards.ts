import type { Card } from "../cards/card.ts";
import { doubt, isTooOld } from "../engine/card-post.ts";
import {
  type CardPost,
  claimPost,
  findPost,
  giveUp,
  noteShown,
  noteTry,
  putOff,
  replacePost,
  type TriedPost,
} from "../engine/card-posts.ts";
import { endFailures, noteFailure } from "../engine/heartbeat.ts";
import { growingPauseMs } from "../engine/lease.ts";
import { recheckDelivery } from "../engine/proactive/recheck-delivery.ts";
import type { Scope } from "../engine/scope.ts";
import { keepTypedChoices } from "../engine/typed-choices.ts";
import type { CardRest } from "./card-rest.ts";
import { FEISHU_CALLS, stillFails } from "./check-health.ts";
import { type Drawn, drawPost } from "./draw-post.ts";
import { findLostMessage } from "./find-lost-message.ts";
import type { LarkError, Outgoing } from "./lark.ts";
import { type Lark, LarkError as LarkFailure } from "./lark.ts";
import { standing, updateEntity } from "./moving-card.ts";
import { receiverOf, sendPost } from "./send-post.ts";
import type { ServerFacts } from "./server-facts.ts";

/** Posts worked on at the same time. Messages to one receiver keep their order all the same: see claimPost. */
const AT_ONCE = 4;
/** A message that could not be sent for this long, and was really tried, is hopeless: what it says is no longer news. */
const HOPELESS_MS = 24 * 60 * 60_000;
const HOPELESS_TRIES = 3;
/** Somebody must change a setting in the console; trying more often helps nobody. */
const NOT_ALLOWED_PAUSE_MS = 10 * 60_000;

export interface SyncResult {
  sent: number;
  changed: number;
  putOff: number;
  gaveUp: number;
}

type Step = keyof SyncResult | "nothing";

/** What a step works with. */
interface Edge {
  scope: Scope;
  lark: Lark;
  server: ServerFacts;
  fileFolders: readonly string[];
  /** calls that worked in this sweep: a refusal noted for them earlier is over */
  worked: Set<string>;
}

export interface SyncParts {
  lark: Lark;
  server: ServerFacts;
  /** files of the agent's are sent from inside of these only */
  fileFolders?: readonly string[];
  /** living cards that were changed a moment ago */
  rest?: CardRest;
  /** set when the process wants to stop: what is being sent is finished, the rest waits for the next start */
  signal?: AbortSignal;
}

/**
 * The one sweep that brings pictures to the screen: claims what is owed, draws the present state, sends or patches, notes
 * what is shown. A burst of changes is one patch; a crash at any instant repeats a send with the same key.
 */
export async function syncCards(scope: Scope, parts: SyncParts): Promise<SyncResult> {
  const { lark, server, fileFolders = [], signal, rest } = parts;
  const edge: Edge = { scope, lark, server, fileFolders, worked: new Set() };
  const result: SyncResult = { sent: 0, changed: 0, putOff: 0, gaveUp: 0 };
  const worker = async (): Promise<void> => {
    for (;;) {
      const post = signal?.aborted ? undefined : await claimPost(scope, rest?.rests);
      if (post === undefined) return;
      const step = await bringUpToDate(edge, post).catch(async (error: unknown) => {
        const ref = scope.log.incident("card.sync", error, { post: post.id, subject: post.subjectKind });
        await putOff(scope, post, after(scope, post), `incident ${ref}`);
        return "putOff" as const;
      });
      if (step !== "nothing") result[step]++;
      if (step === "sent" || step === "changed") rest?.shown(post);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (edge.worked.size > 0) await endFailures(scope, [...edge.worked]);
  return result;
}

async function bringUpToDate(edge: Edge, post: CardPost): Promise<Step> {
  return post.messageId === null ? sendFirst(edge, post) : patch(edge, post, post.messageId);
}

async function sendFirst(edge: Edge, post: CardPost): Promise<Step> {
  const { scope, server } = edge;
  const state = doubt(post, scope.clock.now());
  if (state === "look") {
    const found = await look(edge, post);
    if (found === "later") return "putOff";
    if (found !== undefined) {
      // Arrived long ago; what it shows may be old, so the picture stays owed.
      await noteShown(scope, post, { shown: post.wanted - 1, ...found });
      return "sent";
    }
  }
  if (state === "none" && post.subjectKind === "delivery") {
    const verdict = await recheckDelivery(scope, post.subjectId);
    if (verdict === "withdrawn") {
      await giveUp(scope, post, "withdrawn");
      return "gaveUp";
    }
    if (typeof verdict === "object") {
      await putOff(scope, post, verdict.later, "not_now", "refused");
      return "putOff";
    }
    // Something was taken off or added meanwhile: read how it stands now.
    // The lease stays the one that was claimed: a look that outlasted it must not adopt another replica's.
    const fresh = await findPost(scope, { postId: post.id });
    if (fresh !== undefined) post = { ...fresh, leaseUntil: post.leaseUntil };
  }
  if (post.subjectKind === "notice" && !(await stillFails(scope, post.view))) {
    await giveUp(scope, post, "withdrawn");
    return "gaveUp";
  }
  const drawn = await drawPost(scope, post, server);
  if (drawn === undefined) {
    await giveUp(scope, post, "subject_gone");
    return "gaveUp";
  }
  const tried = await noteTry(scope, post);
  if (tried === undefined) return "nothing";
  try {
    const arrived = await sendPost(edge, tried, drawn);
    await noteShown(scope, tried, { shown: drawn.shown, ...arrived });
    return "sent";
  } catch (error) {
    if (!(error instanceof LarkFailure)) throw error;
    return sendRefused(edge, tried, drawn, error);
  }
}

/**
 * The message whose answer never came, as the chat shows it. When the chat cannot be looked at for good, sending goes on:
 * a second message is the smaller evil than none.
 */
async function look(edge: Edge, post: CardPost): Promise<Awaited<ReturnType<typeof findLostMessage>> | "later"> {
  const { scope, lark } = edge;
  try {
    return await findLostMessage(scope, lark, post);
  } catch (error) {
    if (!(error instanceof LarkFailure)) throw error;
    scope.log.warn("card.not_looked_for", { post: post.id, code: error.code, kind: error.kind });
    if (error.kind !== "try_again" && error.kind !== "too_fast" && error.kind !== "token") return undefined;
    await putOff(scope, post, after(scope, post), label(error));
    return "later";
  }
}

/** A card that the platform will never build goes out as text, which is different in kind and cannot fail the same way. */
async function sendRefused(edge: Edge, post: TriedPost, drawn: Drawn, error: LarkError): Promise<Step> {
  const { scope, lark } = edge;
  if (error.kind !== "refused" || drawn.card === undefined) return failed(scope, post, error);
  scope.log.warn("card.refused", { post: post.id, code: error.code, subCode: error.subCode, logId: error.logId });
  try {
    const said = drawn.asText();
    await keepTypedChoices(scope, post, said.choices);
    const text: Outgoing = { type: "text", content: { text: said.text } };
    const arrived = await lark.send(receiverOf(post), text, `${post.idempotencyKey.slice(0, 48)}-t`);
    await noteShown(scope, post, { shown: drawn.shown, ...arrived, sentAs: "text" });
    return "sent";
  } catch (second) {
    if (!(second instanceof LarkFailure)) throw second;
    return failed(scope, post, second);
  }
}

async function patch(edge: Edge, post: CardPost, messageId: string): Promise<Step> {
  const { scope, server, worked } = edge;
  if (post.sentAs === "text") {
    // A text is said once: what is decided later is told by the answer to the reply that decided it.
    await noteShown(scope, post, { shown: post.wanted });
    return "nothing";
  }
  const drawn = await drawPost(scope, post, server);
  if (drawn?.card === undefined) {
    await giveUp(scope, post, "subject_gone");
    return "gaveUp";
  }
  if (isTooOld(post, scope.clock.now())) return outlived(scope, post, drawn);
  const tried = await noteTry(scope, post);
  if (tried === undefined) return "nothing";
  try {
    await redraw(edge, tried, messageId, drawn.card);
    worked.add(`${FEISHU_CALLS}message.patch`);
    await noteShown(scope, tried, { shown: drawn.shown });
    return "changed";
  } catch (error) {
    if (!(error instanceof LarkFailure)) throw error;
    // Older than 14 days by the platform's own clock.
    if (error.code === 230031) return outlived(scope, tried, drawn);
    return failed(scope, tried, error);
  }
}

/** A card entity is changed as one; when it is no longer to be had, and for ordinary cards, the message is patched. */
async function redraw({ scope, lark }: Edge, post: CardPost, messageId: string, card: Card): Promise<void> {
  if (post.entityId !== null) {
    try {
      return await updateEntity(scope, lark, post, post.entityId, card);
    } catch (error) {
      if (!(error instanceof LarkFailure)) throw error;
      // Somebody wrote a higher number meanwhile: the next ones are higher still.
      if (error.code === NUMBER_TOO_LOW) return updateEntity(scope, lark, post, post.entityId, card);
      if (error.kind !== "gone") throw error;
    }
  }
  await lark.patch(messageId, standing(card));
}

/** Feishu: sequence number compare failed. */
const NUMBER_TOO_LOW = 300317;

/** The platform no longer takes changes of this message. What still waits for a decision moves to a new card. */
async function outlived(scope: Scope, post: CardPost, drawn: Drawn): Promise<Step> {
  if (drawn.stillOpen) await replacePost(scope, post, "too_old");
  else await giveUp(scope, post, "too_old");
  return "gaveUp";
}

async function failed(scope: Scope, post: TriedPost, error: LarkError): Promise<Step> {
  const now = scope.clock.now();
  // A change of a message that stands there is tried until the platform takes no more of them: its buttons must not lie.
  const hopeless =
    post.messageId === null &&
    post.attempts >= HOPELESS_TRIES &&
    now.getTime() - post.createdAt.getTime() > HOPELESS_MS;
  switch (error.kind) {
    case "too_fast":
    case "try_again":
    case "token": {
      if (hopeless && !error.inDoubt) break;
      const pauseMs = error.retryAfterMs ?? growingPauseMs(post.attempts, scope.random());
      await putOff(scope, post, new Date(now.getTime() + pauseMs), label(error), error.inDoubt ? "unknown" : "refused");
      return "putOff";
    }
    case "not_allowed":
      scope.log.warn("feishu.not_allowed", { code: error.code, method: error.method, logId: error.logId });
      await noteFailure(scope, `${FEISHU_CALLS}${error.method}`, error.message);
      if (hopeless) break;
      await putOff(scope, post, new Date(now.getTime() + NOT_ALLOWED_PAUSE_MS), label(error), "refused");
      return "putOff";
    case "bug":
      scope.log.incident("card.bug", error, { post: post.id, logId: error.logId });
      break;
    case "gone":
    case "refused":
    case "unreachable":
      scope.log.warn("card.gave_up", { post: post.id, code: error.code, kind: error.kind });
  }
  await giveUp(scope, post, label(error));
  return "gaveUp";
}

function after(scope: Scope, post: CardPost): Date {
  return new Date(scope.clock.now().getTime() + growingPauseMs(post.attempts + 1, scope.random()));
}

function label(error: LarkError): string {
  return `${error.kind} ${error.code ?? "no answer"}${error.subCode === undefined ? "" : `/${error.subCode}`}`;
}
