import { type ParsedAction, parseAction } from "../cards/actions.ts";
import { recordAudit } from "../engine/audit.ts";
import { isTooOld } from "../engine/card-post.ts";
import { type CardPost, findPost, noteShown } from "../engine/card-posts.ts";
import { inTransaction } from "../engine/db.ts";
import { EngineError } from "../engine/errors.ts";
import { keepAnswer } from "../engine/inbox/finish-event.ts";
import { takeEvent } from "../engine/inbox/take-event.ts";
import { type Known, knowPerson } from "../engine/people/know-person.ts";
import { languageOf, type Person } from "../engine/people/person.ts";
import type { Scope } from "../engine/scope.ts";
import { readSettings } from "../engine/settings.ts";
import { runAction } from "./action-handlers/index.ts";
import { cleanOutgoing } from "./clean-outgoing.ts";
import { drawPost } from "./draw-post.ts";
import type { IncomingTap } from "./feishu-events.ts";
import type { InHand } from "./in-hand.ts";
import { directPlace } from "./place-of.ts";
import { presentError } from "./present-error.ts";
import { type Reader, readerFor } from "./reader.ts";
import type { ServerFacts } from "./server-facts.ts";
import type { Answer, Tap } from "./tap.ts";

/** Feishu: a tap is answered within 3 s. Whatever is not done by then is finished behind the answer. */
export const ANSWER_WITHIN_MS = 900;

/** Somebody holds the phone and looks: their tap goes before whatever else waits for the database. */
const PRESSED = { urgent: true };

export interface TapParts {
  scope: Scope;
  server: ServerFacts;
  /** taps being worked on, also behind their answer */
  inHand: InHand;
  /** wakes a sweep; called after the answer has been handed over */
  poke: (job: string) => void;
}

type Refusal = "notOurs" | "outOfDate" | "wrongPlace" | "expired" | "stranger";

class TapRefused extends Error {
  readonly why: Refusal;

  constructor(why: Refusal) {
    super(why);
    this.why = why;
  }
}

interface Handled {
  answer: object;
  wakes: readonly string[];
}

/**
 * A press on something in a card. One transaction stores the event, carries out what it asks for, and keeps the answer;
 * a repeat is answered with the same. Who may is looked up for the operator of the event; what it is about comes from
 * the post that the button names, checked against the message and chat of the tap. Always resolves to an object, in
 * time: a result that takes longer than ANSWER_WITHIN_MS reaches the card by the sweep.
 */
export function tapHandler(parts: TapParts): (tap: IncomingTap) => Promise<object> {
  return async (event) => {
    const handled = parts.inHand.hold(
      handle(parts, event).catch((error: unknown): Promise<Handled> => refuse(parts, event, error)),
    );
    const late = new Promise<"late">((resolve) => setTimeout(resolve, ANSWER_WITHIN_MS, "late").unref());
    const first = await Promise.race([handled, late]);
    if (first === "late") {
      void handled.then(({ wakes }) => wake(parts, wakes));
      const reader = agentReader(parts.scope);
      return { toast: { type: "info", content: reader.t.toast.working } };
    }
    wake(parts, first.wakes);
    return first.answer;
  };
}

/** Feishu: a card changed before the answer has arrived is refused or undone, so sweeps start a moment later. */
const AFTER_ANSWER_MS = 250;

function wake(parts: TapParts, jobs: readonly string[]): void {
  if (jobs.length === 0) return;
  setTimeout(() => {
    for (const job of jobs) parts.poke(job);
  }, AFTER_ANSWER_MS).unref();
}

async function handle(parts: TapParts, event: IncomingTap): Promise<Handled> {
  return inTransaction(
    parts.scope.db,
    async (tx) => {
      const scope: Scope = { ...parts.scope, db: tx };
      const taken = await takeEvent(scope, arrival(event));
      if (!taken.fresh) return { answer: taken.answer ?? {}, wakes: [] };
      const known = await knowPerson(scope, { openId: event.operatorOpenId });
      const checked = await check(scope, event, known).catch((error: unknown) => {
        if (error instanceof TapRefused) return error;
        throw error;
      });
      // Nothing has been changed yet, so the refusal needs no second transaction.
      if (checked instanceof TapRefused) return refusal(parts, scope, event, { seq: taken.seq, known, error: checked });
      const { tap, action } = checked;
      const answer = await runAction(tap, action);
      const object = await answerObject(parts, scope, tap.post, answer, tap.person);
      await keepAnswer(tx, scope, taken.seq, object);
      return { answer: object, wakes: ["sync-cards", ...(answer.wakes ?? [])] };
    },
    PRESSED,
  );
}

/** Everything that must hold before anything is done. @throws TapRefused */
async function check(scope: Scope, event: IncomingTap, known: Known): Promise<{ tap: Tap; action: ParsedAction }> {
  const action = readAction(event);
  if (!known.known) throw new TapRefused("stranger");
  if (action === undefined) throw new TapRefused("outOfDate");
  const post = await findPost(scope, { postId: action.post });
  if (post === undefined) throw new TapRefused("notOurs");
  const here = await rightPlace(scope, post, event);
  if (!here) throw new TapRefused("wrongPlace");
  if (isTooOld(post, scope.clock.now())) throw new TapRefused("expired");
  const tap: Tap = {
    scope,
    who: known.actor,
    person: known.person,
    post,
    place: directPlace(known.person, event.chatId, post),
    reader: await readerOf(scope, known.person),
    eventKey: event.dedupeKey,
  };
  return { tap, action };
}

function readAction(event: IncomingTap): ParsedAction | undefined {
  return parseAction(event.value, {
    formValue: event.formValue,
    option: event.option,
    inputValue: event.inputValue,
  });
}

/**
 * The button belongs to this message in this chat. A post whose message id never came home is found by the tap itself:
 * only that message carries its opaque id, so the tap is the receipt.
 */
async function rightPlace(scope: Scope, post: CardPost, event: IncomingTap): Promise<boolean> {
  if (post.messageId === null) {
    await noteShown(scope, post, { shown: 0, messageId: event.messageId, chatId: event.chatId, sentAs: "card" });
    return true;
  }
  return post.messageId === event.messageId && (post.chatId === null || post.chatId === event.chatId);
}

async function answerObject(
  parts: TapParts,
  scope: Scope,
  before: CardPost,
  answer: Answer,
  person?: Person,
): Promise<Record<string, unknown>> {
  const toast = { type: answer.toast.type, content: answer.toast.content };
  if (!answer.redraw) return { toast };
  // Which number it shows does not matter here, so a post that is about the same as before need not be read again.
  const post = answer.turned ? await findPost(scope, { postId: before.id }) : before;
  const drawn = post && (await drawPost(scope, post, parts.server, person));
  if (drawn?.card === undefined) return { toast };
  // The sweep sends the same picture once more: an answer that was lost on its way must not leave an older one standing.
  return { toast, card: { type: "raw", data: cleanOutgoing(drawn.card) } };
}

/** Says no, in the transaction of `scope`: worded, recorded, and kept as the answer to the event. */
async function refusal(
  parts: TapParts,
  scope: Scope,
  event: IncomingTap,
  { seq, known, error }: { seq: number; known: Known; error: unknown },
): Promise<Handled> {
  const reader = known.known ? await readerOf(scope, known.person) : agentReader(scope);
  const { toast, why, redraw } = wordRefusal(scope, error, reader);
  const post = redraw ? await findPost(scope, { messageId: event.messageId }) : undefined;
  const answer = post ? await answerObject(parts, scope, post, { toast, redraw: true }) : { toast };
  await inTransaction(scope.db, async (tx) => {
    await recordAudit(tx, scope, {
      who: known.known ? known.actor : { kind: "person", openId: event.operatorOpenId, role: "member" },
      what: "tap.refused",
      subject: { kind: "message", id: event.messageId },
      after: { why },
    });
    await keepAnswer(tx, scope, seq, answer);
  });
  return { answer, wakes: [] };
}

/** Nothing was changed: the refusal is stored with its event, recorded, and worded. A bug gets a reference. */
async function refuse(parts: TapParts, event: IncomingTap, error: unknown): Promise<Handled> {
  const { scope } = parts;
  try {
    return await inTransaction(
      scope.db,
      async (tx) => {
        const inside: Scope = { ...scope, db: tx };
        const taken = await takeEvent(inside, arrival(event));
        if (!taken.fresh) return { answer: taken.answer ?? {}, wakes: [] };
        const known = await knowPerson(inside, { openId: event.operatorOpenId });
        return refusal(parts, inside, event, { seq: taken.seq, known, error });
      },
      PRESSED,
    );
  } catch (second) {
    const ref = scope.log.incident("tap.failed", second);
    const reader = agentReader(scope);
    return { answer: { toast: { type: "error", content: reader.t.error.internal(ref) } }, wakes: [] };
  }
}

function wordRefusal(
  scope: Scope,
  error: unknown,
  reader: Reader,
): { toast: Answer["toast"]; why: string; redraw: boolean } {
  if (error instanceof TapRefused) {
    return { toast: { type: "warning", content: reader.t.toast[error.why] }, why: error.why, redraw: false };
  }
  if (error instanceof EngineError) {
    const presented = presentError(error, reader.t, (at) => reader.when(at));
    return { toast: presented.toast, why: error.code, redraw: presented.redraw };
  }
  const ref = scope.log.incident("tap.failed", error);
  return { toast: { type: "error", content: reader.t.error.internal(ref) }, why: `incident ${ref}`, redraw: false };
}

/** The person who taps, with times on their wall. */
async function readerOf(scope: Scope, person: Person): Promise<Reader> {
  const zone = person.zone ?? (await readSettings(scope)).zone;
  return readerFor(languageOf(person, scope.agent.language), zone, scope.clock.now());
}

/** For somebody who is not known, and for when the database does not answer. */
function agentReader({ agent, clock }: Scope): Reader {
  return readerFor(agent.language, agent.zone, clock.now());
}

function arrival(event: IncomingTap): Parameters<typeof takeEvent>[1] {
  const { formValue: _form, inputValue: _input, ...kept } = event;
  return {
    dedupeKey: event.dedupeKey,
    kind: "tap",
    chatId: event.chatId,
    senderOpenId: event.operatorOpenId,
    payload: kept,
    handledHere: true,
  };
}
