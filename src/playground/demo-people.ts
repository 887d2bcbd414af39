import { createHash } from "node:crypto";
import type { PageLanguage } from "./page-api.ts";
import type { Chat, Person, PlatformState } from "./platform-state.ts";
import { platformText } from "./platform-text.ts";

/** The demo's people by the parts they play. Their ids stay the same over restarts, so stored rows keep their meaning. */
export const DEMO_PEOPLE = {
  owner: person("owner", "zh_cn"),
  member: person("member", "zh_cn"),
  english: person("english", "en_us"),
} as const satisfies Record<string, Person>;

/** Chat ids of the demo, stable over restarts like the people. */
export const DEMO_CHATS = {
  owner: chatIdOf("owner"),
  member: chatIdOf("member"),
  english: chatIdOf("english"),
  group: chatIdOf("group"),
} as const;

/** A state with three people, each in a direct chat with the bot, and one group of all. */
export function demoState(): PlatformState {
  const people = Object.values(DEMO_PEOPLE);
  const chats: Chat[] = [
    direct(DEMO_CHATS.owner, DEMO_PEOPLE.owner),
    direct(DEMO_CHATS.member, DEMO_PEOPLE.member),
    direct(DEMO_CHATS.english, DEMO_PEOPLE.english),
    {
      chatId: DEMO_CHATS.group,
      name: platformText("zh_cn").groupName,
      type: "group",
      members: people.map((each) => each.openId),
      botInside: true,
    },
  ];
  return {
    people: new Map(people.map((each) => [each.openId, each])),
    chats: new Map(chats.map((each) => [each.chatId, each])),
    messages: new Map(),
    cards: new Map(),
    files: new Map(),
    sentByUuid: new Map(),
    tickets: new Map(),
    bot: { openId: `ou_${digest("bot")}`, unionId: `on_${digest("bot")}`, userId: "", name: "Herald" },
    tenantKey: digest("tenant").slice(0, 16),
  };
}

function direct(chatId: string, who: Person): Chat {
  return { chatId, name: who.name, type: "p2p", members: [who.openId], botInside: true };
}

function person(part: "owner" | "member" | "english", language: PageLanguage): Person {
  const id = digest(part);
  const words = platformText(language);
  return {
    openId: `ou_${id}`,
    unionId: `on_${id}`,
    userId: id.slice(0, 8),
    name: words.names[part],
    initials: words.initials[part],
    language,
    role: { zh_cn: platformText("zh_cn").roles[part], en_us: platformText("en_us").roles[part] },
  };
}

function chatIdOf(part: string): string {
  return `oc_${digest(`chat ${part}`)}`;
}

function digest(seed: string): string {
  return createHash("sha256").update(`herald playground ${seed}`).digest("hex").slice(0, 32);
}
