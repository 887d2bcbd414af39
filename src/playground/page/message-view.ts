import type { PageMessage, PostSpan } from "../page-api.ts";
import { findMessage } from "./apply-event.ts";
import { avatar } from "./card/person.ts";
import type { Draft, ScenePerson, TapPart } from "./card/scene.ts";
import { type CardSurroundings, drawCard } from "./card-view.ts";
import { botAvatar, senderName } from "./chat-list.ts";
import { formatMessageTime } from "./format-time.ts";
import { type IconName, icon } from "./icons.ts";
import { lookUp } from "./look-up.ts";
import { make } from "./make.ts";
import { buildMarkdown } from "./markdown/build-markdown.ts";
import { parseMarkdown } from "./markdown/parse-markdown.ts";
import { safeLink } from "./markdown/safe-link.ts";
import { messageSummary } from "./message-summary.ts";
import type { PageStore } from "./page-store.ts";
import { splitLinks } from "./split-links.ts";

/** What a message's row asks of the conversation around it. */
export type MessageDeeds = {
  readonly tap: (message: PageMessage, part: TapPart, control: HTMLElement) => Promise<void>;
  readonly reply: (message: PageMessage) => void;
  readonly recall: (message: PageMessage) => void;
  readonly inspect: (message: PageMessage) => void;
  readonly complain: (message: PageMessage, text: string) => void;
};

const EMOJI: Readonly<Record<string, string>> = {
  THUMBSUP: "👍",
  OK: "👌",
  DONE: "✅",
  HEART: "❤️",
  SMILE: "😊",
  THANKS: "🙏",
  MUSCLE: "💪",
  APPLAUSE: "👏",
  JIAYI: "➕",
  Typing: "⌨️",
  OnIt: "🫡",
  Get: "👌",
  CheckMark: "✅",
  CrossMark: "❌",
  EYES: "👀",
  ROSE: "🌹",
};

/** One message: picture, name, time, content, and what can be done with it. */
export function drawMessage(message: PageMessage, store: PageStore, draft: Draft, deeds: MessageDeeds): HTMLElement {
  const words = store.words();
  const state = store.state();
  const isMine = message.senderId === store.me().userId;
  const name = senderName(store, message);
  const place = { language: store.language(), timeZone: state.timeZone };
  if (message.recalled) {
    return make("div", { class: "recalled", attrs: { "data-message-id": message.messageId } }, words.recalledBy(name));
  }
  const time = make(
    "time",
    { attrs: { datetime: message.createdAt } },
    formatMessageTime(Date.parse(message.createdAt), store.nowMs(), place),
  );
  const initials = state.users.find((user) => user.userId === message.senderId)?.initials ?? "?";
  const content = drawContent(message, store, draft, deeds);
  const { kind } = message.content;
  return make(
    "article",
    {
      class: `message ${isMine ? "mine" : "theirs"}`,
      attrs: { "data-message-id": message.messageId, "aria-label": name },
    },
    message.fromBot ? botAvatar("medium") : avatar(message.senderId, initials, "medium"),
    make(
      "div",
      "message-main",
      make(
        "div",
        "message-head",
        make("span", "message-name", name),
        message.fromBot && make("span", "kind bot", words.bot),
        time,
        message.edited && make("span", "message-edited", words.edited),
      ),
      make(
        "div",
        `message-body of-${kind}`,
        make("div", `bubble of-${kind}`, quoteOf(message, store), content),
        make(
          "div",
          "message-deeds",
          deed("reply", words.reply, () => deeds.reply(message)),
          isMine && deed("recall", words.recall, () => deeds.recall(message)),
          kind === "card" && deed("code", words.viewJson, () => deeds.inspect(message)),
        ),
      ),
      make("p", { class: "message-error", attrs: { hidden: true } }),
      reactionsOf(message, store),
    ),
  );
}

function deed(name: IconName, label: string, run: () => void): HTMLElement {
  return make(
    "button",
    { class: "deed", attrs: { type: "button", "aria-label": label, title: label }, on: { click: run } },
    icon(name),
  );
}

function drawContent(message: PageMessage, store: PageStore, draft: Draft, deeds: MessageDeeds): Node {
  const { content } = message;
  const words = store.words();
  const scene = surroundings(store, draft, message, deeds);
  switch (content.kind) {
    case "text":
      return make("div", "text plain", ...textWithMentions(content.text, content.mentions));
    case "post":
      return make(
        "div",
        "text post",
        content.title ? make("strong", "post-title", content.title) : undefined,
        ...content.paragraphs.map((line) => make("div", "post-line", ...line.map((span) => drawSpan(span, scene)))),
      );
    case "card": {
      const card = drawCard(content.card, scene);
      card.classList.toggle("streaming", content.streaming);
      return card;
    }
    case "image":
      return make("img", {
        class: "message-image",
        attrs: { src: scene.imageUrl(content.imageKey), alt: words.image },
      });
    case "file":
      return make(
        "a",
        {
          class: "message-file",
          attrs: { href: `/playground/api/files/${encodeURIComponent(content.fileKey)}`, download: content.fileName },
        },
        icon("file"),
        make("span", "file-name", content.fileName),
        make("span", "file-size", fileSize(content.size)),
      );
    case "other":
      return make("div", "text plain muted", words.unsupportedMessage(content.messageType));
    default:
      return content satisfies never;
  }
}

function surroundings(store: PageStore, draft: Draft, message: PageMessage, deeds: MessageDeeds): CardSurroundings {
  const state = store.state();
  const toPerson = (user: { userId: string; name: string; initials: string }): ScenePerson => ({
    openId: user.userId,
    name: user.name,
    initials: user.initials,
  });
  const people = state.users.map(toPerson);
  return {
    words: store.words(),
    language: store.language(),
    timeZone: state.timeZone,
    narrow: matchMedia("(max-width: 600px)").matches,
    draft,
    nowMs: store.nowMs,
    people,
    person: (openId) =>
      people.find((each) => each.openId === openId) ?? (openId === state.bot.userId ? toPerson(state.bot) : undefined),
    imageUrl: (imageKey) => `/playground/api/images/${encodeURIComponent(imageKey)}`,
    tap: (part, control) => deeds.tap(message, part, control),
    complain: (text) => deeds.complain(message, text),
  };
}

function textWithMentions(text: string, mentions: readonly { key: string; name: string }[]): (Node | string)[] {
  const keys = mentions.map((mention) => mention.key).filter(Boolean);
  if (keys.length === 0) return linked(text);
  const pattern = new RegExp(`(${keys.map((key) => key.replace(/[^\w]/g, "\\$&")).join("|")})(?!\\d)`);
  return text.split(pattern).flatMap((part) => {
    const mention = mentions.find((each) => each.key === part);
    return mention ? [make("span", "mention", `@${mention.name}`)] : linked(part);
  });
}

function linked(text: string): (Node | string)[] {
  return splitLinks(text).map((part) => (part.href ? link(part.href, part.text) : part.text));
}

function link(href: string, text: string): HTMLElement {
  return make("a", { attrs: { href, target: "_blank", rel: "noopener noreferrer" } }, text);
}

function drawSpan(span: PostSpan, scene: CardSurroundings): Node | string {
  switch (span.tag) {
    case "text":
      return make("span", span.style.map((name) => `post-${name.replace(/[^a-zA-Z]/g, "")}`).join(" "), span.text);
    case "a": {
      const href = safeLink(span.href);
      return href ? link(href, span.text) : span.text;
    }
    case "at":
      return make("span", "mention", `@${span.name || (scene.person(span.userId)?.name ?? scene.words.everyone)}`);
    case "img":
      return make("img", {
        class: "message-image",
        attrs: { src: scene.imageUrl(span.imageKey), alt: scene.words.image },
      });
    case "code_block":
      return make("pre", "code-block", make("code", {}, span.text));
    case "md":
      return make("div", "markdown", buildMarkdown(parseMarkdown(span.text), scene));
    case "hr":
      return make("hr", "rule");
    default:
      return span satisfies never;
  }
}

function quoteOf(message: PageMessage, store: PageStore): HTMLElement | undefined {
  if (!message.parentId) return undefined;
  const parent = findMessage(store.state(), message.parentId);
  const words = store.words();
  const text = parent
    ? `${words.replyTo(senderName(store, parent))}: ${messageSummary(parent, store.language(), words.summary)}`
    : words.quotedGone;
  const quote = make("button", { class: "quote", attrs: { type: "button" } }, text);
  quote.addEventListener("click", () => {
    const target = document.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(message.parentId ?? "")}"]`);
    target?.scrollIntoView({
      block: "center",
      behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
    });
    target?.classList.add("flash");
    window.setTimeout(() => target?.classList.remove("flash"), 1500);
  });
  return quote;
}

function reactionsOf(message: PageMessage, store: PageStore): HTMLElement | undefined {
  if (message.reactions.length === 0) return undefined;
  const nameOf = (userId: string): string =>
    userId === store.state().bot.userId
      ? store.state().bot.name
      : (store.state().users.find((user) => user.userId === userId)?.name ?? store.words().unknownPerson);
  return make(
    "div",
    "reactions",
    ...message.reactions.map((reaction) =>
      make(
        "span",
        "reaction",
        `${lookUp(EMOJI, reaction.emojiType) ?? `[${reaction.emojiType}]`} ${reaction.userIds.map(nameOf).join(", ")}`,
      ),
    ),
  );
}

function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
