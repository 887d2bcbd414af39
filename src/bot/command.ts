import type { z } from "zod";
import type { CardPost } from "../engine/card-posts.ts";
import type { ChatPlace } from "../engine/chat/session.ts";
import { EngineError } from "../engine/errors.ts";
import { type ActionName as Permission, rights } from "../engine/people/person.ts";
import type { Language, PersonActor, Scope } from "../engine/scope.ts";
import type { Place } from "../engine/tracking/audience.ts";
import type { Texts } from "../text/pick.ts";
import type { CardSubject } from "./card-subject.ts";
import type { Reader } from "./reader.ts";
import type { ServerTools } from "./server-tools.ts";

/** What a command answers: a line, or a card about something. */
export type CommandReply = { line: string } | { card: CardSubject };

/** Where and for whom a command runs. `scope.db` is a transaction unless the command says `reachesOut`. */
export interface CommandContext {
  scope: Scope;
  who: PersonActor;
  reader: Reader;
  place: Place;
  /** the same for what is kept apart by chats */
  chat: ChatPlace;
  /** of the message, for evidence and keys */
  messageId: string;
  /** the card or line of ours that the message replies to */
  repliedTo: CardPost | undefined;
  /** people mentioned in the message, in its order; the bot itself is none of them */
  mentions: readonly { openId: string; name?: string }[];
  /** undefined where nothing may be started (a replayed event, a test) */
  tools?: ServerTools | undefined;
  /** wakes a sweep after the answer is stored */
  wake(job: string): void;
}

/** The same example for readers of either language. */
export type Example = Readonly<Record<Language, string>>;

interface Definition<Args> {
  name: string;
  aliases?: readonly string[];
  /** what the person must be allowed to do; checked before anything else, and again by the operation */
  needs: Permission;
  usage: string;
  summary: (t: Texts) => string;
  /** a line its own parser takes, in both languages or in one that both read; shown with every refusal */
  example: string | Example;
  /** key of the texts under error.expected: what the arguments should have been */
  expects: string;
  /** reads the rest of the line */
  args: z.ZodType<Args, string>;
  /** asks something outside of the database (a model, Hermes): then it must not run inside a transaction */
  reachesOut?: boolean;
  /** shows what a group must not read although everybody may ask: answered in the direct chat */
  private?: boolean;
  run(ctx: CommandContext, args: Args): Promise<CommandReply>;
}

/** A command as the table holds it: the type of its arguments is its own affair. */
export interface Command {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly needs: Permission;
  readonly usage: string;
  readonly example: Example;
  readonly reachesOut: boolean;
  /** Asked in a group, it is answered in the person's direct chat. What only owner and admins may ask always is. */
  readonly private: boolean;
  summary(t: Texts): string;
  /** true when its own parser takes this rest of a line */
  takes(rest: string): boolean;
  /** @throws EngineError invalid_input with the example when the arguments are not understood */
  run(ctx: CommandContext, rest: string): Promise<CommandReply>;
}

/** Hides the arguments' type so that commands of different shapes stand in one table without casts. */
export function defineCommand<Args>(definition: Definition<Args>): Command {
  const { name, usage, needs, expects } = definition;
  const example =
    typeof definition.example === "string" ? { zh: definition.example, en: definition.example } : definition.example;
  return {
    name,
    aliases: definition.aliases ?? [],
    needs,
    usage,
    example,
    reachesOut: definition.reachesOut ?? false,
    private: definition.private ?? rights[needs].least !== "member",
    summary: definition.summary,
    takes: (rest) => definition.args.safeParse(rest).success,
    async run(ctx, rest) {
      const args = definition.args.safeParse(rest);
      if (!args.success)
        throw new EngineError("invalid_input", {
          path: name,
          expected: expects,
          given: rest,
          example: example[ctx.reader.language],
        });
      return definition.run(ctx, args.data);
    },
  };
}
