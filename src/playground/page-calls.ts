import { ZodError } from "zod";
import { isRecord } from "./card-rules.ts";
import { DEMO_PEOPLE } from "./demo-people.ts";
import type { AgentSwitch, FaultAnswer, PageUser, PlaygroundState, TapAnswer, TapRequest } from "./page-api.ts";
import {
  agentRequest,
  enterRequest,
  readFault,
  recallRequest,
  sayRequest,
  tapRequest,
  withoutUndefined,
} from "./page-requests.ts";
import { heraldOf } from "./page-stream.ts";
import { viewMessage } from "./page-view.ts";
import { enterChat, NotPossible, say, takeBack } from "./people-actions.ts";
import type { PlatformCore } from "./platform-core.ts";
import { messagesOf, type Person } from "./platform-state.ts";
import { platformText } from "./platform-text.ts";
import { type PlaygroundHost, readClockRequest } from "./playground-host.ts";
import { applyTap, type TapResult, tapCard } from "./tap.ts";

/** What the page's calls need besides the platform itself. */
export type PageContext = {
  core: PlatformCore;
  host: PlaygroundHost;
  timeZone: string;
  tapDeadlineMs: number;
  orderFault: (fault: ReturnType<typeof readFault>) => void;
  /** To be told when the clock was moved. */
  clockMoved: () => void;
};

type RequestWords = ReturnType<typeof platformText>["requests"];

/** A refusal of a page's call: HTTP status, and the words for a person. */
export class PageRefusal extends Error {
  readonly status: number;
  readonly reason: keyof RequestWords;

  constructor(status: number, reason: keyof RequestWords) {
    super(reason);
    this.name = "PageRefusal";
    this.status = status;
    this.reason = reason;
  }

  /** Body of the answer; the page starts in the owner's language, so these words are in it. */
  toBody(): { error: { code: string; message: string } } {
    return { error: { code: this.reason, message: platformText(DEMO_PEOPLE.owner.language).requests[this.reason] } };
  }
}

type PageCall = (context: PageContext, body: unknown) => unknown;

/** POST calls of the page by the last part of their path. */
export const PAGE_POSTS: Record<string, PageCall> = {
  message: ({ core }, body) => {
    const { message, heard } = say(core, withoutUndefined(sayRequest.parse(body)));
    heard.catch(() => {});
    return { message: viewMessage(message, core.state, core.nowMs()) };
  },
  tap: async (context, body): Promise<TapAnswer> => {
    const {
      why: _,
      updateToken: __,
      ...answer
    } = await tap(context, withoutUndefined(tapRequest.parse(body)) as TapRequest);
    return answer;
  },
  recall: ({ core }, body) => {
    const { messageId, userId } = recallRequest.parse(body);
    takeBack(core, messageId, userId).catch(() => {});
    return {};
  },
  enter: ({ core }, body) => {
    const { chatId, userId } = enterRequest.parse(body);
    enterChat(core, chatId, userId).catch(() => {});
    return {};
  },
  faults: ({ core, orderFault }, body): FaultAnswer => {
    orderFault(readFault(body));
    return { active: core.faults.active() };
  },
  clock: async ({ host, clockMoved }, body) => {
    if (!host.clock) throw new PageRefusal(501, "clockFixed");
    const before = host.clock.now();
    const wanted = isRecord(body) ? readClockRequest(body, before) : undefined;
    if (!wanted) throw new PageRefusal(400, "clockFormat");
    if (wanted < before) throw new PageRefusal(400, "clockBackwards");
    await host.clock.set(wanted);
    clockMoved();
    return { now: host.clock.now().toISOString() };
  },
  agent: async ({ core, host }, body): Promise<AgentSwitch> => {
    if (!host.agent) throw new PageRefusal(501, "noAgent");
    await host.agent.setUp(agentRequest.parse(body).up);
    const agent = { up: host.agent.up() };
    core.feed.publish({ type: "agent", agent });
    return agent;
  },
};

/** A person's tap by message id, its card changed by the answer. @throws NotPossible */
export async function tap(context: PageContext, request: TapRequest): Promise<TapResult> {
  const { core } = context;
  const message = core.state.messages.get(request.messageId);
  if (!message) throw new NotPossible("unknownMessage");
  if (message.type !== "interactive") throw new NotPossible("notACard");
  const who = core.state.people.get(request.userId);
  if (!who || !core.state.chats.get(message.chatId)?.members.includes(who.openId))
    throw new NotPossible("unknownPerson");
  const result = await tapCard(core, message, who, request, context.tapDeadlineMs);
  applyTap(core, message, result);
  return result;
}

/** Everything the page shows at its start. */
export function pageState({ core, host, timeZone, tapDeadlineMs }: PageContext): PlaygroundState {
  const { state } = core;
  const now = core.nowMs();
  const chats = [...state.chats.values()];
  return {
    me: viewPerson(DEMO_PEOPLE.owner),
    bot: { userId: state.bot.openId, name: state.bot.name, initials: state.bot.name.slice(0, 1) },
    users: [...state.people.values()].map(viewPerson),
    chats: chats.map(({ chatId, name, type, members }) => ({ chatId, name, type, members: [...members] })),
    messages: Object.fromEntries(
      chats.map(({ chatId }) => [chatId, messagesOf(state, chatId).map((each) => viewMessage(each, state, now))]),
    ),
    language: DEMO_PEOPLE.owner.language,
    now: new Date(now).toISOString(),
    clockCanMove: host.clock !== undefined,
    timeZone,
    herald: heraldOf(core),
    ...(host.agent && { agent: { up: host.agent.up() } }),
    limits: { tapDeadlineMs },
    lastEventId: core.feed.lastId,
  };
}

/** What the surrounding server shows of itself. @throws PageRefusal 404 */
export async function inspect(
  { host }: PageContext,
  what: string,
  query: URLSearchParams,
): Promise<{ what: string; data: unknown }> {
  const data = await host.inspect?.(what, Object.fromEntries(query));
  if (data === undefined) throw new PageRefusal(404, "notFound");
  return { what, data };
}

/** Any failure of a page's call as a refusal in words; what went wrong inside is not told. */
export function asPageRefusal(error: unknown): PageRefusal {
  if (error instanceof PageRefusal) return error;
  if (error instanceof NotPossible) return new PageRefusal(400, error.reason);
  if (error instanceof ZodError) return new PageRefusal(400, "badRequest");
  return new PageRefusal(500, "failed");
}

function viewPerson(person: Person): PageUser {
  const { openId, name, language, role, initials } = person;
  return { userId: openId, name, language, role, initials };
}
