import { formatFor } from "../cards/format.ts";
import { recordAudit } from "../engine/audit.ts";
import { wantCard } from "../engine/card-posts.ts";
import { inTransaction } from "../engine/db.ts";
import { EngineError } from "../engine/errors.ts";
import { type ClaimedMessage, chatOf, claimNextMessage, holdMessage } from "../engine/inbox/next-message.ts";
import { releaseMessage } from "../engine/inbox/release-message.ts";
import { knowPerson } from "../engine/people/know-person.ts";
import { hasOwner, pairOwner } from "../engine/people/pair-owner.ts";
import { languageOf, may } from "../engine/people/person.ts";
import type { Scope } from "../engine/scope.ts";
import { readSettings } from "../engine/settings.ts";
import { textsFor } from "../text/pick.ts";
import { readCommandLine } from "./command-line.ts";
import { commandNamed } from "./commands/index.ts";
import type { ChatParts } from "./converse.ts";
import { keyOf, type Message, messageSchema, withoutMentions } from "./message.ts";
import { presentError } from "./present-error.ts";
import { readerFor } from "./reader.ts";
import { serveMessage } from "./serve-message.ts";
import type { ServerTools } from "./server-tools.ts";
import { finishMessage, type Reply } from "./store-answer.ts";

/** A message that waited longer, because we were away, is not acted on silently: the person is asked to say it again. */
export const STALE_MS = 2 * 60 * 60_000;

export interface MessageParts {
  scope: Scope;
  /** the bot's own open_id; undefined while it is not known: then groups are not answered, direct chats are */
  botOpenId: () => string | undefined;
  poke: (job: string) => void;
  /** what a conversation with Hermes needs of the platform; without it there is none */
  chat?: ChatParts;
  /** what /doctor and /backup start */
  tools?: ServerTools | undefined;
  /** set when the process wants to stop: the message in hand is finished, the next one waits for the next start */
  signal?: AbortSignal;
}

/** Messages worked on at once, of different chats. */
const AT_ONCE = 8;
/** While something slow is worked on, what came into other chats meanwhile is looked for so often. */
const LOOK_AGAIN_MS = 500;
/** A look with a model may outlast the lease of its message. */
const HOLD_AGAIN_MS = 20_000;

/**
 * The sweep over stored messages: each chat in its order, chats beside each other, so that a look that waits for a model
 * holds up its own chat only. What a message causes, its answer and its being done are one transaction, so that after a
 * crash it is handled again or not at all, never half. Ends when nothing waits and nothing is in work.
 */
export async function handleMessages(parts: MessageParts): Promise<{ handled: number }> {
  const inWork = new Map<string, Promise<void>>();
  let handled = 0;
  for (;;) {
    const mayStart = !parts.signal?.aborted && inWork.size < AT_ONCE;
    const claimed = mayStart
      ? await claimNextMessage(parts.scope, inWork.keys(), (scope, dropped, ref) =>
          tellSetAside({ ...parts, scope }, dropped, ref),
        )
      : undefined;
    if (claimed !== undefined) {
      const chat = chatOf(claimed);
      const work = workOn(parts, claimed).then((done) => {
        if (done) handled++;
        inWork.delete(chat);
      });
      inWork.set(chat, work);
    } else if (inWork.size > 0) {
      await firstOf(inWork.values(), LOOK_AGAIN_MS);
    } else {
      return { handled };
    }
  }
}

/** @returns whether it was handled. Never rejects: what could not even be put back comes up again when its lease runs out. */
async function workOn(parts: MessageParts, claimed: ClaimedMessage): Promise<boolean> {
  const { scope } = parts;
  const holding = setInterval(() => {
    holdMessage(scope, claimed).then(
      (leaseUntil) => {
        if (leaseUntil !== undefined) claimed.leaseUntil = leaseUntil;
      },
      (error: unknown) => scope.log.warn("inbox.not_held", { seq: claimed.seq, error: String(error) }),
    );
  }, HOLD_AGAIN_MS);
  try {
    await handleMessage(parts, claimed);
    return true;
  } catch (error) {
    try {
      if ((await releaseMessage(scope, claimed, error)) === "failed")
        await tellSetAside(parts, claimed, scope.log.incident("message.failed", error, { seq: claimed.seq }));
    } catch (second) {
      scope.log.incident("message.failed", second, { seq: claimed.seq });
    }
    return false;
  } finally {
    clearInterval(holding);
  }
}

async function firstOf(works: Iterable<Promise<void>>, withinMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, withinMs);
  });
  await Promise.race([...works, late]);
  clearTimeout(timer);
}

/** The chat goes on without it, and the person who wrote hears that it came to nothing. */
async function tellSetAside(
  parts: MessageParts,
  { payload }: Pick<ClaimedMessage, "payload">,
  ref: string,
): Promise<void> {
  const { scope, poke } = parts;
  const parsed = messageSchema.safeParse(payload);
  if (!parsed.success || !isForUs(parts, parsed.data)) return;
  const { chatId, messageId, dedupeKey } = parsed.data;
  await inTransaction(scope.db, (tx) =>
    wantCard(tx, scope, {
      subject: { kind: "line", id: messageId },
      view: { text: textsFor(scope.agent.language).error.internal(ref) },
      to: { chatId },
      language: scope.agent.language,
      idempotencyKey: `re-${keyOf(dedupeKey)}`,
    }),
  );
  poke("sync-cards");
}

async function handleMessage(parts: MessageParts, claimed: ClaimedMessage): Promise<void> {
  const { scope } = parts;
  const parsed = messageSchema.safeParse(claimed.payload);
  if (!parsed.success) {
    scope.log.warn("inbox.unreadable", { seq: claimed.seq });
    await finishMessage(parts, claimed, undefined);
    return;
  }
  const message = parsed.data;
  if (!isForUs(parts, message)) {
    await finishMessage(parts, claimed, undefined);
    return;
  }
  const reply = await answerTo(parts, claimed, message);
  if (reply !== "finished") await finishMessage(parts, claimed, reply && { message, ...reply });
}

function isForUs({ botOpenId }: MessageParts, { chatType, mentions }: Message): boolean {
  if (chatType !== "group") return true;
  const bot = botOpenId();
  return bot !== undefined && bot !== "" && mentions.some((each) => each.openId === bot);
}

/** What is answered; undefined = nothing; "finished" = the answer was written in a transaction of its own already. */
async function answerTo(
  parts: MessageParts,
  claimed: ClaimedMessage,
  message: Message,
): Promise<Reply | undefined | "finished"> {
  const { scope } = parts;
  const known = await knowPerson(scope, {
    openId: message.senderOpenId,
    chatId: message.chatId,
    chatType: message.chatType,
    ...(message.senderUnionId === undefined ? {} : { unionId: message.senderUnionId }),
  });
  if (!known.known) return strangerOrPairing(scope, message, known.tellOnce);
  const { zone } = await readSettings(scope);
  const reader = readerFor(
    languageOf(known.person, scope.agent.language),
    known.person.zone ?? zone,
    scope.clock.now(),
  );
  const say = (line: string): Reply => ({ reply: { line }, language: reader.language });
  const age = scope.clock.now().getTime() - message.sentAt.getTime();
  if (age > STALE_MS) {
    const duration = formatFor({ language: reader.language, zone: reader.zone, now: scope.clock.now() }).duration(age);
    return say(reader.t.command.stale(duration));
  }
  try {
    return await serveMessage(parts, claimed, message, { person: known.person, actor: known.actor, reader });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (error.code === "forbidden") {
      await inTransaction(scope.db, (tx) =>
        recordAudit(tx, scope, {
          who: known.actor,
          what: "command.refused",
          after: { why: error.code, line: withoutMentions(message).split(/\s/)[0] },
        }),
      );
    }
    // What a private command says when it cannot be done (names of people, for one) is as private as what it says else.
    const command = commandNamed(readCommandLine(withoutMentions(message))?.name ?? "");
    const inPrivate = message.chatType === "group" && command?.private && may(known.actor, command.needs);
    return {
      ...say(presentError(error, reader.t, (at) => reader.when(at)).line),
      ...(inPrivate && { privateTo: known.actor.openId }),
    };
  }
}

async function strangerOrPairing(scope: Scope, message: Message, tellOnce: boolean): Promise<Reply | undefined> {
  const { language } = scope.agent;
  const { t } = readerFor(language, scope.agent.zone, scope.clock.now());
  const say = (line: string): Reply => ({ reply: { line }, language });
  if (await hasOwner(scope.db, scope)) return tellOnce ? say(t.command.pairing.stranger) : undefined;
  if (message.chatType === "group") return tellOnce ? say(t.command.pairing.onlyDirect) : undefined;
  const paired = await pairOwner(
    scope,
    {
      openId: message.senderOpenId,
      directChatId: message.chatId,
      ...(message.senderUnionId === undefined ? {} : { unionId: message.senderUnionId }),
    },
    message.text,
  );
  switch (paired.outcome) {
    case "paired":
      return say(t.command.pairing.welcome);
    case "wrong_code":
      return say(paired.attemptsLeft > 0 ? t.command.pairing.wrong : t.command.pairing.tooMany);
    case "no_code":
      return say(t.command.pairing.ask);
    case "has_owner":
      return say(t.command.pairing.stranger);
  }
}
