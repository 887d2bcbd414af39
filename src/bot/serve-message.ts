import { parseAction } from "../cards/actions.ts";
import { type CardPost, findPost } from "../engine/card-posts.ts";
import { inTransaction } from "../engine/db.ts";
import type { ClaimedMessage } from "../engine/inbox/next-message.ts";
import { assertMay, type Person } from "../engine/people/person.ts";
import type { PersonActor, Scope } from "../engine/scope.ts";
import { typedChoice } from "../engine/typed-choices.ts";
import { runAction } from "./action-handlers/index.ts";
import { askBeforeClosing } from "./ask-before-closing.ts";
import type { CommandContext, CommandReply } from "./command.ts";
import { type CommandLine, readCommandLine } from "./command-line.ts";
import { commandNamed } from "./commands/index.ts";
import { converse } from "./converse.ts";
import { type Message, withoutMentions } from "./message.ts";
import type { MessageParts } from "./on-message.ts";
import { peopleMentioned } from "./people-mentioned.ts";
import type { Reader } from "./reader.ts";
import { isAboutMatters, replyAboutMatters } from "./reply-about-matters.ts";
import { type Reply, storeAnswer } from "./store-answer.ts";
import { unknownCommand } from "./unknown-command.ts";

/** Who wrote, as they are known now. */
export interface From {
  person: Person;
  actor: PersonActor;
  reader: Reader;
}

/** Two slashes: the rest is for Hermes, whatever it says. */
const FOR_HERMES = /^[/／]{2}(?=[a-z])/i;

/**
 * What a known person's message causes: a command, a choice typed as a number, a word about a reminder's matters, or a
 * turn of Hermes. "finished": it was all written in one transaction with the end of the message.
 */
export async function serveMessage(
  parts: MessageParts,
  claimed: ClaimedMessage,
  message: Message,
  from: From,
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
    chat: { chatId: message.chatId, chatType: message.chatType, openId: actor.openId },
    messageId: message.messageId,
    repliedTo,
    mentions: peopleMentioned(message.mentions, parts.botOpenId()),
    tools: parts.tools,
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
      await storeAnswer(scope, claimed, {
        message,
        reply,
        language: languageAfter(line?.name, text, language),
        ...privately,
      });
    });
    for (const job of ["sync-cards", ...wakes]) parts.poke(job);
    return "finished";
  };

  const talk = (more: { command?: string; about?: CardPost } = {}): Promise<Reply | "finished" | undefined> =>
    converse(parts, claimed, message, { ...from, repliedTo, ...more });

  if (FOR_HERMES.test(text)) {
    assertMay(actor, "hermes.command");
    const handed = await talk({ command: text.replace(FOR_HERMES, "/") });
    return handed ?? { reply: { line: t.chat.notConnected }, language };
  }
  if (line !== undefined) {
    const served = await serveCommand(line);
    if (served !== undefined) return served;
  }

  async function serveCommand({ name, rest }: CommandLine): Promise<Reply | "finished" | undefined> {
    const command = commandNamed(name);
    if (command === undefined) {
      const said = unknownCommand(parts.scope, reader, name);
      if (said !== undefined) return { reply: { line: said }, language };
      assertMay(actor, "hermes.command");
      return talk({ command: text.replace(/^／/, "/") });
    }
    assertMay(actor, command.needs);
    const privately = command.private && message.chatType === "group" ? { privateTo: actor.openId } : {};
    if (!command.reachesOut) return whole((ctx) => command.run(ctx, rest), privately);
    const reply = await command.run(context(parts.scope), rest);
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
  if (post?.subjectKind === "delivery") {
    const meant = await isAboutMatters(parts.scope, reader, post, text);
    const handed = meant ? undefined : await talk({ about: post });
    return handed ?? whole(async (ctx) => ({ line: await replyAboutMatters(ctx, post, text) }));
  }
  const asked =
    message.chatType === "p2p" ? await askBeforeClosing(parts.scope, reader, message.chatId, text) : undefined;
  if (asked !== undefined) return { reply: { line: asked }, language };
  if (text === "" && message.attachments.length === 0)
    return { reply: { line: t.command.nothingToUnderstand }, language };
  return (await talk()) ?? { reply: { line: t.chat.notConnected }, language };
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
    where: {
      agentId: scope.agent.id,
      chatId: message.chatId,
      sentAs: "text",
      subjectKind: { notIn: ["line", "file"] },
    },
    orderBy: { sentAt: "desc" },
    select: { id: true },
  });
  return row === null ? undefined : findPost(scope, { postId: row.id });
}
