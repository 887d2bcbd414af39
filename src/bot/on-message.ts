import { createHash } from "node:crypto";
import { z } from "zod";
import { parseAction } from "../cards/actions.ts";
import { formatFor } from "../cards/format.ts";
import { recordAudit } from "../engine/audit.ts";
import { type CardPost, findPost, wantCard } from "../engine/card-posts.ts";
import { inTransaction } from "../engine/db.ts";
import { EngineError } from "../engine/errors.ts";
import { finishEvent } from "../engine/inbox/finish-event.ts";
import { type ClaimedMessage, chatOf, claimNextMessage, holdMessage } from "../engine/inbox/next-message.ts";
import { releaseMessage } from "../engine/inbox/release-message.ts";
import { knowPerson } from "../engine/people/know-person.ts";
import { hasOwner, pairOwner } from "../engine/people/pair-owner.ts";
import { assertMay, languageOf, type Person } from "../engine/people/person.ts";
import type { PersonActor, Scope } from "../engine/scope.ts";
import { readSettings } from "../engine/settings.ts";
import { typedChoice } from "../engine/typed-choices.ts";
import { nearestName } from "../text/nearest-name.ts";
import { textsFor } from "../text/pick.ts";
import { runAction } from "./action-handlers/index.ts";
import { askBeforeClosing } from "./ask-before-closing.ts";
import type { CommandContext, CommandReply } from "./command.ts";
import { readCommandLine } from "./command-line.ts";
import { commandNamed, commands } from "./commands/index.ts";
import { peopleMentioned } from "./people-mentioned.ts";
import { presentError } from "./present-error.ts";
import { type Reader, readerFor } from "./reader.ts";
import { replyAboutMatters } from "./reply-about-matters.ts";

/** A message that waited longer, because we were away, is not acted on silently: the person is asked to say it again. */
export const STALE_MS = 2 * 60 * 60_000;

export interface MessageParts {
  scope: Scope;
  /** the bot's own open_id; undefined while it is not known: then groups are not answered, direct chats are */
  botOpenId: () => string | undefined;
  poke: (job: string) => void;
  /** set when the process wants to stop: the message in hand is finished, the next one waits for the next start */
  signal?: AbortSignal;
}

const messageSchema = z.object({
  dedupeKey: z.string(),
  messageId: z.string(),
  chatId: z.string(),
  chatType: z.enum(["p2p", "group"]),
  threadId: z.string().optional(),
  parentId: z.string().optional(),
  senderOpenId: z.string(),
  senderUnionId: z.string().optional(),
  text: z.string(),
  mentions: z.array(z.object({ key: z.string(), openId: z.string().optional(), name: z.string() })),
  sentAt: z.coerce.date(),
});

type Message = z.infer<typeof messageSchema>;

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
    await finish(parts, claimed, undefined);
    return;
  }
  const message = parsed.data;
  if (!isForUs(parts, message)) {
    await finish(parts, claimed, undefined);
    return;
  }
  const reply = await answerTo(parts, claimed, message);
  if (reply !== "finished") await finish(parts, claimed, reply && { message, ...reply });
}

function isForUs({ botOpenId }: MessageParts, { chatType, mentions }: Message): boolean {
  if (chatType !== "group") return true;
  const bot = botOpenId();
  return bot !== undefined && bot !== "" && mentions.some((each) => each.openId === bot);
}

interface Reply {
  reply: CommandReply;
  language: "zh" | "en";
  /** asked in a group, told to this person alone */
  privateTo?: string;
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
    return await serve(parts, claimed, message, { person: known.person, actor: known.actor, reader });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (error.code === "forbidden") {
      await inTransaction(scope.db, (tx) =>
        recordAudit(tx, scope, {
          who: known.actor,
          what: "command.refused",
          after: { why: error.code, line: message.text.split(/\s/)[0] },
        }),
      );
    }
    return say(presentError(error, reader.t, (at) => reader.when(at)).line);
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

async function serve(
  parts: MessageParts,
  claimed: ClaimedMessage,
  message: Message,
  from: { person: Person; actor: PersonActor; reader: Reader },
): Promise<Reply | "finished"> {
  const { reader, actor } = from;
  const { t, language } = reader;
  const text = withoutMentions(message);
  const line = readCommandLine(text);
  const repliedTo =
    message.parentId === undefined ? undefined : await findPost(parts.scope, { messageId: message.parentId });
  const wakes: string[] = [];
  const context = (scope: Scope): CommandContext => ({
    scope,
    who: actor,
    reader,
    place: message.chatType === "p2p" ? { chatType: "p2p" } : { chatType: "group", chatId: message.chatId },
    messageId: message.messageId,
    repliedTo,
    mentions: peopleMentioned(message.mentions, parts.botOpenId()),
    wake: (job) => wakes.push(job),
  });

  /** Runs `act` in the transaction that also writes its answer and marks the message as done. */
  const whole = async (
    act: (ctx: CommandContext) => Promise<CommandReply>,
    privately: Pick<Reply, "privateTo"> = {},
  ): Promise<"finished"> => {
    await inTransaction(parts.scope.db, async (tx) => {
      const scope = { ...parts.scope, db: tx };
      const reply = await act(context(scope));
      await store(scope, claimed, {
        message,
        reply,
        language: languageAfter(line?.name, text, language),
        ...privately,
      });
    });
    for (const job of ["sync-cards", ...wakes]) parts.poke(job);
    return "finished";
  };

  if (line !== undefined) {
    const command = commandNamed(line.name);
    if (command === undefined) {
      const near = nearestName(
        line.name,
        commands.map((each) => each.name),
      );
      return { reply: { line: t.command.unknown(`/${line.name}`, near === undefined ? "" : `/${near}`) }, language };
    }
    assertMay(actor, command.needs);
    const privately = command.private && message.chatType === "group" ? { privateTo: actor.openId } : {};
    if (!command.reachesOut) return whole((ctx) => command.run(ctx, line.rest), privately);
    const reply = await command.run(context(parts.scope), line.rest);
    for (const job of wakes) parts.poke(job);
    return { reply, language, ...privately };
  }

  const post = repliedTo ?? (await latestText(parts.scope, message, text));
  const choice = post && typedChoice(post, Number(text));
  const action = choice === undefined ? undefined : parseAction(choice);
  if (post !== undefined && action !== undefined) {
    return whole(async (ctx) => {
      const answer = await runAction(
        {
          scope: ctx.scope,
          who: actor,
          person: from.person,
          post,
          place: ctx.place,
          reader,
          eventKey: message.dedupeKey,
        },
        action,
      );
      for (const job of answer.wakes ?? []) ctx.wake(job);
      return { line: answer.toast.content };
    });
  }
  if (post?.subjectKind === "delivery")
    return whole(async (ctx) => ({ line: await replyAboutMatters(ctx, post, text) }));
  const asked =
    message.chatType === "p2p" ? await askBeforeClosing(parts.scope, reader, message.chatId, text) : undefined;
  const unread = text === "" ? t.command.nothingToUnderstand : t.command.notConnected;
  return { reply: { line: asked ?? unread }, language };
}

/** /lang changes the language its own answer is written in. */
function languageAfter(name: string | undefined, text: string, before: "zh" | "en"): "zh" | "en" {
  if (name !== "lang" && name !== "language") return before;
  return /en|英/i.test(text.replace(/^[/／]\w+/, "")) ? "en" : "zh";
}

/** What a bare number is about: the latest card of this chat that went out as text. */
async function latestText(scope: Scope, message: Message, text: string): Promise<CardPost | undefined> {
  if (message.parentId !== undefined || !/^\d{1,2}$/.test(text)) return undefined;
  const row = await scope.db.cardPost.findFirst({
    where: { agentId: scope.agent.id, chatId: message.chatId, sentAs: "text", subjectKind: { not: "line" } },
    orderBy: { sentAt: "desc" },
    select: { id: true },
  });
  return row === null ? undefined : findPost(scope, { postId: row.id });
}

function withoutMentions(message: Message): string {
  let text = message.text;
  for (const { key } of message.mentions) text = text.replaceAll(key, " ");
  return text.trim();
}

async function finish(parts: MessageParts, claimed: ClaimedMessage, answer: Answer | undefined): Promise<void> {
  await inTransaction(parts.scope.db, (tx) => store({ ...parts.scope, db: tx }, claimed, answer));
  parts.poke("sync-cards");
}

type Answer = Reply & { message: Message };

/** The answer and the end of the message, in the caller's transaction. A message that was finished meanwhile is answered once. */
async function store(scope: Scope, claimed: ClaimedMessage, answer: Answer | undefined): Promise<void> {
  await inTransaction(scope.db, async (tx) => {
    const first = await finishEvent(tx, scope, claimed.seq, { status: "done", payload: claimed.payload });
    if (!first) throw new Error("the message was handled elsewhere meanwhile");
    if (answer === undefined) return;
    const { message, reply, language, privateTo } = answer;
    const replyTo = message.chatType === "group" || message.threadId !== undefined ? message.messageId : undefined;
    const key = keyOf(message.dedupeKey);
    const line = (text: string) => ({ subject: { kind: "line", id: message.messageId }, view: { text } }) as const;
    const said = "line" in reply ? line(reply.line) : reply.card;
    if (privateTo !== undefined)
      await wantCard(tx, scope, { ...said, to: { openId: privateTo }, language, idempotencyKey: `dm-${key}` });
    await wantCard(tx, scope, {
      ...(privateTo === undefined ? said : line(textsFor(language).command.toldInPrivate)),
      to: { chatId: message.chatId },
      language: message.chatType === "group" && privateTo === undefined && "card" in reply ? "both" : language,
      idempotencyKey: `re-${key}`,
      ...(replyTo === undefined ? {} : { replyTo }),
    });
  });
}

/** The same for every try of one message: of all its answers one arrives. */
function keyOf(dedupeKey: string): string {
  return createHash("sha256").update(dedupeKey).digest("hex").slice(0, 40);
}
