/**
 * What the playground's web page and its server say to each other. Types only: the page is bundled for a browser, the
 * server runs in Node, and both import this file. All instants are ISO 8601 strings in UTC, all ids are the platform's
 * own (`om_…`, `oc_…`, `ou_…`).
 *
 * | call | body | answer |
 * |---|---|---|
 * | `GET /playground/api/state` | – | {@link PlaygroundState} |
 * | `GET /playground/api/stream` | – (`Last-Event-ID` resumes) | server-sent events, {@link PageEvent} |
 * | `POST /playground/api/message` | {@link SayRequest} | {@link SayAnswer} |
 * | `POST /playground/api/tap` | {@link TapRequest} | {@link TapAnswer}, after at most 3 s |
 * | `POST /playground/api/recall` | {@link RecallRequest} | `{}` |
 * | `POST /playground/api/enter` | {@link EnterRequest} | `{}` |
 * | `POST /playground/api/faults` | {@link FaultRequest} | {@link FaultAnswer} |
 * | `POST /playground/api/clock` | {@link ClockRequest} | {@link ClockAnswer} |
 * | `POST /playground/api/agent` | {@link AgentSwitch} | {@link AgentSwitch} |
 * | `GET /playground/api/inspect/:what?…` | – | {@link InspectAnswer} |
 * | `GET /playground/api/images/:imageKey` | – | the uploaded picture |
 * | `GET /playground/api/files/:fileKey` | – | the uploaded file, as a download |
 *
 * A refused call has a 4xx or 5xx status and the body {@link PageError}. Every POST needs `Content-Type:
 * application/json` and comes from the page's own origin.
 */

/** Languages the page and its demo people use; the keys of the platform's `i18n_content`. */
export type PageLanguage = "zh_cn" | "en_us";

/** A demo person the visitor can speak as. */
export type PageUser = {
  userId: string;
  name: string;
  /** The language of this person's client: which of a card's texts is shown. */
  language: PageLanguage;
  /** A word on the part this person plays, in both languages (owner, colleague, English reader). */
  role: Record<PageLanguage, string>;
  /** One or two characters for the round picture. */
  initials: string;
};

/** The bot itself, as sender of messages. */
export type PageBot = { userId: string; name: string; initials: string };

export type PageChat = {
  chatId: string;
  /** A group's name; for a direct chat the name of its person. */
  name: string;
  type: "p2p" | "group";
  /** User ids of the people in it, without the bot. */
  members: string[];
};

/** A card's JSON as the bot sent it (Card JSON 2.0). */
export type CardJson = Record<string, unknown>;

export type PageReaction = { emojiType: string; userIds: string[] };

export type PageMessage = {
  messageId: string;
  chatId: string;
  /** A person's id or the bot's. */
  senderId: string;
  fromBot: boolean;
  createdAt: string;
  /** Later than `createdAt` when it was edited or its card changed. */
  updatedAt: string;
  /** A text was edited by its sender (cards do not carry this mark). */
  edited: boolean;
  /** Taken back: show the line "recalled a message" and no content. */
  recalled: boolean;
  /** Direct parent when this is a reply. */
  parentId?: string;
  /** First message of the thread of replies. */
  rootId?: string;
  reactions: PageReaction[];
  content: PageContent;
};

export type PageContent =
  | { kind: "text"; text: string; mentions: PageMention[] }
  | { kind: "post"; title: string; paragraphs: PostSpan[][] }
  | {
      kind: "card";
      card: CardJson;
      /** The card's text is being typed; while it is, taps cannot change it. */
      streaming: boolean;
      /** Past the platform's 14 days: buttons are shown and refused. */
      expired: boolean;
      /** Rises with each change of the card. */
      version: number;
    }
  | { kind: "image"; imageKey: string }
  | { kind: "file"; fileKey: string; fileName: string; size: number }
  | { kind: "other"; messageType: string };

/** `key` stands in the text where the mention goes (`@_user_1`). */
export type PageMention = { key: string; userId: string; name: string };

export type PostSpan =
  | { tag: "text"; text: string; style: string[] }
  | { tag: "a"; text: string; href: string }
  | { tag: "at"; userId: string; name: string }
  | { tag: "img"; imageKey: string }
  | { tag: "code_block"; language: string; text: string }
  | { tag: "md"; text: string }
  | { tag: "hr" };

/** Whether the stand-in agent answers; switched off it is as if Hermes were down. */
export type AgentSwitch = { up: boolean };

export type PlaygroundState = {
  /** The person the page starts as: the demo's owner. */
  me: PageUser;
  bot: PageBot;
  users: PageUser[];
  chats: PageChat[];
  /** Every message of every chat, oldest first, keyed by chat id. */
  messages: Record<string, PageMessage[]>;
  /** Language of the page's own words at the start (the owner's). */
  language: PageLanguage;
  /** The one clock of server and platform; may be moved by the time machine. */
  now: string;
  /** Whether `POST /playground/api/clock` can move it. */
  clockCanMove: boolean;
  /** Time zone of the demo, for example `Asia/Shanghai`. */
  timeZone: string;
  herald: { connected: boolean; connections: number };
  /** The stand-in agent, where one is running. */
  agent?: AgentSwitch;
  /** Documented platform facts the page should keep to. */
  limits: { tapDeadlineMs: number };
  /** Id of the newest event already contained in this state: pass it as `Last-Event-ID` (or `?after=`) to the stream. */
  lastEventId: number;
};

/**
 * Events of the stream. Each has the SSE `event:` name of its `type`, the SSE `id:` of its `id` (rising by one), and
 * this whole object as `data:`. When the ids asked for are no longer kept, the first event is `state` and the page
 * loads everything anew.
 */
export type PageEvent = { id: number } & (
  | { type: "message"; message: PageMessage }
  /** A message changed: edited, card patched or streamed, reaction added. Replace it as a whole. */
  | { type: "patch"; message: PageMessage }
  | { type: "recall"; message: PageMessage }
  /** Something about the surroundings changed (connection, chats); `reload` asks for a fresh `GET state`. */
  | { type: "state"; herald: PlaygroundState["herald"]; reload: boolean }
  | { type: "clock"; now: string }
  | { type: "agent"; agent: AgentSwitch }
);

export type SayRequest = {
  chatId: string;
  userId: string;
  /** At most 150 KB; without the mention itself. */
  text: string;
  /** Message id this is a reply to. */
  replyTo?: string;
  /** Puts the bot's mention in front. In groups the bot only hears messages with it. */
  mentionBot?: boolean;
};
export type SayAnswer = { message: PageMessage };

/** The part of the platform's tap that the component pressed decides; see `TapAnswer` for what comes back. */
export type TapRequest = {
  messageId: string;
  userId: string;
  /** Component: `button`, `overflow`, `select_static`, `date_picker`, `checker`, … */
  tag: string;
  /** The callback value exactly as the card states it. */
  value: unknown;
  /** The component's `name` (inside forms). */
  name?: string;
  /** Choice of overflow, single selects and pickers outside forms. */
  option?: string;
  /** Choices of multi-selects outside forms. */
  options?: string[];
  /** Text of an input outside forms. */
  inputValue?: string;
  /** State of a checker. */
  checked?: boolean;
  /** Names to values of a submitted form. */
  formValue?: Record<string, unknown>;
  /** Zone of the person's device; goes along with date and time pickers. */
  timezone?: string;
};

export type ToastType = "info" | "success" | "warning" | "error";

export type TapAnswer = {
  /** `content` is already in the language of the person who tapped. */
  toast?: { type: ToastType; content: string };
  /** The card as it stands after the tap, when the answer brought a new one (a `patch` event tells the others). */
  card?: CardJson;
  /** What Feishu's client would show: `code` such as 200341, `text` in the language of the person who tapped. */
  error?: { code: number; text: string };
};

export type RecallRequest = { messageId: string; userId: string };
/** A person opens the direct chat: the bot gets its "entered" event. */
export type EnterRequest = { chatId: string; userId: string };

/**
 * Things going wrong, on demand. `api` is one of the names in {@link FaultApi}; `times` (default 1) counts calls.
 *
 * - `answer`: the next calls get this HTTP status and platform code, nothing happens
 * - `drop_before`: the connection breaks before the call is looked at
 * - `drop_after`: the call takes effect, then the connection breaks without an answer
 * - `delay`: the call is answered after `ms`
 */
export type FaultRequest =
  | {
      kind: "answer";
      api: FaultApi;
      code: number;
      status?: number;
      message?: string;
      resetSeconds?: number;
      times?: number;
    }
  | { kind: "drop_before"; api: FaultApi; times?: number }
  | { kind: "drop_after"; api: FaultApi; times?: number }
  | { kind: "delay"; api: FaultApi; ms: number; times?: number }
  /** Every long connection breaks at once. */
  | { kind: "kill_sockets" }
  /** New long connections are refused while on. */
  | { kind: "refuse_connections"; on: boolean }
  /** Pings are no longer answered while on (a half-dead link). */
  | { kind: "ignore_pings"; on: boolean }
  /** The next events are delivered `copies` times (default 2). */
  | { kind: "repeat_events"; copies?: number; times?: number }
  /** The next events are delivered after `ms`. */
  | { kind: "delay_events"; ms: number; times?: number }
  /** Tokens given out so far are refused from now on (99991663). */
  | { kind: "expire_tokens" }
  /** Every card is refused with 230099 while on. */
  | { kind: "refuse_cards"; on: boolean }
  /** Back to normal. */
  | { kind: "clear" };

export type FaultApi =
  | "any"
  | "token"
  | "message.create"
  | "message.reply"
  | "message.patch"
  | "message.update"
  | "message.delete"
  | "message.get"
  | "message.list"
  | "message.resource"
  | "reaction.create"
  | "reaction.delete"
  | "image.create"
  | "file.create"
  | "chat.get"
  | "bot.info"
  | "scope.list"
  | "application.get"
  | "card.update"
  | "cardkit.create"
  | "cardkit.update"
  | "cardkit.settings"
  | "cardkit.batch_update"
  | "cardkit.element"
  | "cardkit.content"
  | "ws.endpoint";

export type FaultAnswer = { active: FaultRequest[] };

/** `now` jumps to an instant, `advance` by a duration such as `90s`, `30m`, `8h`, `7d`, `1w`. Never backwards. */
export type ClockRequest = { now: string } | { advance: string };
export type ClockAnswer = { now: string };

/**
 * What the server lets one look at; `what` is a word such as `items`, `runs`, `run`, `deliveries`, `raw`. The page
 * treats the answer as JSON to show. 404 when the server does not know the word.
 */
export type InspectAnswer = { what: string; data: unknown };

/** `message` is one line for a person, already in the page's language where the server knows it. */
export type PageError = { error: { code: string; message: string } };
