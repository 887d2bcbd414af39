import { textsFor } from "../../text/pick.ts";
import { inSlices, mapSteps } from "../in-slices.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { CronJob } from "../ports.ts";
import type { Scope } from "../scope.ts";
import type { TrackingItem } from "../tracking/item.ts";
import { contextDocument } from "./documents/context.ts";
import { type ConversationCuts, type ConversationLine, conversationSteps } from "./documents/conversation.ts";
import type { DocumentLook } from "./documents/look.ts";
import { type MemoryState, memoryDocument } from "./documents/memory.ts";
import { hasFailed, scheduledCronsDocument } from "./documents/scheduled-crons.ts";
import { type SentView, sentDocument } from "./documents/sent.ts";
import { trackingDocument } from "./documents/tracking.ts";
import { keywordSteps } from "./keywords.ts";
import type { SourceNumbers } from "./number-sources.ts";
import { quoteCron, quoteMemory, quoteMessage } from "./quote-message.ts";
import type { RunFacts } from "./read-run-facts.ts";
import type { WindowMessage } from "./read-window.ts";
import type { DocumentName } from "./run.ts";

const SENT_DAYS = 7;
const KEYWORDS = 24;
const MEMORIES = 12;

export type Documents = Partial<Record<DocumentName, string>>;

/** What the documents of stage 1 are made of. */
export interface ContextParts {
  facts: RunFacts;
  newMessages: readonly WindowMessage[];
  earlierMessages: readonly WindowMessage[];
  cuts: ConversationCuts;
  /** Undefined: the list could not be read. */
  crons: readonly CronJob[] | undefined;
  sent: readonly SentView[];
}

/** Texts of the documents are in the owner's language, times in their zone. */
export function lookOf(facts: RunFacts): DocumentLook {
  return {
    texts: textsFor(facts.owner?.language ?? facts.settings.language).engine,
    zone: facts.disturb.zone,
    now: facts.disturb.now,
  };
}

/**
 * The six documents of stage 1: code only, no tokens. Every line that may be cited gets its number here. Secrets are
 * masked before anything is stored or shown to a model.
 */
export async function renderContext(scope: Scope, parts: ContextParts, sources: SourceNumbers): Promise<Documents> {
  const { facts, crons } = parts;
  const look = lookOf(facts);
  const line = ({ message, text }: WindowMessage): ConversationLine => {
    const evidence = quoteMessage(message);
    return {
      source: sources.numberOf(evidence),
      evidence,
      text,
      ...(message.session.title !== undefined && { sessionTitle: message.session.title }),
    };
  };
  const fresh = await inSlices(mapSteps(parts.newMessages, line));
  const earlier = await inSlices(mapSteps(parts.earlierMessages, line));
  const conversation = await inSlices(conversationSteps({ fresh, earlier, cuts: parts.cuts }, look));
  const tracking = renderTracking(facts.items, sources, look);
  const scheduled = scheduledCronsDocument(
    crons?.map((job) => ({ job, ...(hasFailed(job) && { source: sources.numberOf(quoteCron(job, look.now)) }) })),
    look,
  );
  // Masked before it is cut into words: out of its context a secret no longer looks like one.
  const words = [...parts.newMessages.map((line) => line.text), ...facts.items.map((item) => item.title)];
  const masked = await inSlices(mapSteps(words, (text) => maskSecrets(text, { personal: true })));
  const keywords = await inSlices(keywordSteps(masked, KEYWORDS));
  const { state, memories } = await recall(scope, keywords);
  const preferences = await readPreferences(scope);
  return mask({
    "conversation.md": conversation,
    "tracking.md": tracking,
    "scheduled-crons.md": scheduled,
    "sent.md": sentDocument(parts.sent, look),
    "memory.md": memoryDocument(
      {
        state,
        keywords,
        memories: memories.map((memory) => ({ memory, source: sources.numberOf(quoteMemory(memory, look.now)) })),
      },
      look,
    ),
    "context.md": contextDocument(
      {
        hasOwner: facts.owner !== undefined,
        memoryState: state,
        failedCrons: (crons ?? []).filter(hasFailed),
        preferences,
      },
      look,
    ),
  });
}

/** tracking.md, written in stage 1 and once more after worker 1's updates. */
export function renderTracking(items: readonly TrackingItem[], sources: SourceNumbers, look: DocumentLook): string {
  const views = items.map((item) => ({ item, sources: item.evidence.map((evidence) => sources.numberOf(evidence)) }));
  return maskSecrets(trackingDocument(views, look), { personal: true });
}

export function mask(documents: Documents): Documents {
  return Object.fromEntries(
    Object.entries(documents).map(([name, content]) => [name, maskSecrets(content, { personal: true })]),
  );
}

/** Messages that are known to have arrived in the last seven days, newest first. */
export async function readSent(scope: Scope, ownerOpenId: string | undefined): Promise<SentView[]> {
  if (ownerOpenId === undefined) return [];
  const agentId = scope.agent.id;
  const since = new Date(scope.clock.now().getTime() - SENT_DAYS * 86_400_000);
  const deliveries = await scope.db.delivery.findMany({
    where: { agentId, recipientOpenId: ownerOpenId, status: "delivered", createdAt: { gte: since } },
    orderBy: { createdAt: "desc" },
    select: { id: true, text: true, createdAt: true },
  });
  if (deliveries.length === 0) return [];
  const matters = await scope.db.deliveryMatter.findMany({
    where: { agentId, deliveryId: { in: deliveries.map((d) => d.id) }, folded: false },
    orderBy: { position: "asc" },
    select: { deliveryId: true, itemId: true },
  });
  const items = await scope.db.trackingItem.findMany({
    where: { agentId, id: { in: matters.map((m) => m.itemId) } },
    select: { id: true, title: true },
  });
  const titles = new Map(items.map((item) => [item.id, item.title]));
  return deliveries.map((delivery) => ({
    at: delivery.createdAt,
    text: delivery.text,
    matters: matters
      .filter((m) => m.deliveryId === delivery.id)
      .map((m) => ({ goalId: m.itemId, title: titles.get(m.itemId) ?? "" })),
  }));
}

async function recall(
  scope: Scope,
  keywords: readonly string[],
): Promise<{ state: MemoryState; memories: readonly { target: "memory" | "user"; text: string }[] }> {
  try {
    return await scope.memory.recall(keywords, MEMORIES);
  } catch (error) {
    scope.log.warn("proactive.memory_unreadable", { error: error instanceof Error ? error.name : "unknown" });
    return { state: "unreadable", memories: [] };
  }
}

/** Preferences that cannot be read are none: they can only make quieter, and the rules of code stand without them. */
export async function readPreferences(scope: Scope): Promise<string | undefined> {
  try {
    return await scope.preferences.read();
  } catch (error) {
    scope.log.warn("proactive.preferences_unreadable", { error: error instanceof Error ? error.name : "unknown" });
    return undefined;
  }
}
