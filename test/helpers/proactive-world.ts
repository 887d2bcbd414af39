import { claimPost, giveUp, noteShown, noteTry } from "../../src/engine/card-posts.ts";
import type { Llm } from "../../src/engine/ports.ts";
import { recheckDelivery } from "../../src/engine/proactive/recheck-delivery.ts";
import { settleDeliveries } from "../../src/engine/proactive/settle-deliveries.ts";
import { type TickOptions, type TickResult, tick } from "../../src/engine/proactive/tick.ts";
import { type TrackingItem, trackingItemSchema } from "../../src/engine/tracking/item.ts";
import { type Given, type GivenScope, given } from "./given.ts";
import { openTestDb, type TestDb } from "./test-db.ts";
import { type ToldHistory, toldHistory } from "./told-history.ts";

/** The pipeline over a real database, with a history that is told line by line and a messenger that the test plays. */
export interface ProactiveWorld {
  scope: GivenScope;
  given: Given;
  history: ToldHistory;
  /** Sets the clock: the local time in Shanghai, "11-30 14:02" or "14:02" of the day the clock stands on. */
  at(local: string): Date;
  /** A person says something at the clock's time in their direct chat; `more` says otherwise. */
  say(text: string, more?: Partial<Parameters<ToldHistory["tell"]>[0]>): string;
  tick(options?: TickOptions): Promise<TickResult>;
  /** What the card sweep does with what is owed: rechecks, "sends", notes the receipt. Returns the texts that went out. */
  send(outcome?: (deliveryId: string) => "arrives" | "fails"): Promise<string[]>;
  items(status?: "active" | "closed"): Promise<TrackingItem[]>;
  release(): Promise<void>;
}

export async function proactiveWorld({
  open = openTestDb,
  ...options
}: {
  llm?: Llm;
  open?: () => Promise<TestDb>;
} = {}): Promise<ProactiveWorld> {
  const test = await open();
  const history = toldHistory();
  const made = given(test.db, { history, ...options });
  await made.people();
  const scope = made.a;
  let sent = 0;
  return {
    scope,
    given: made,
    history,
    at(local) {
      const day = new Date(scope.clock.now().getTime() + 8 * 3_600_000).toISOString().slice(5, 10);
      const [date, time] = local.includes(" ") ? local.split(" ") : [day, local];
      const year = date !== undefined && date < "06" ? 2027 : 2026;
      scope.clock.set(`${year}-${date}T${time?.length === 5 ? `${time}:00` : time}+08:00`);
      return scope.clock.now();
    },
    say(text, more = {}) {
      return history.tell({ at: scope.clock.now(), text, ...more });
    },
    tick: (how) => tick(scope, how),
    async send(outcome = () => "arrives") {
      const texts: string[] = [];
      for (;;) {
        const post = await claimPost(scope);
        if (!post) break;
        if (post.subjectKind !== "delivery") continue;
        const verdict = await recheckDelivery(scope, post.subjectId);
        if (verdict !== "send") continue;
        if (outcome(post.subjectId) === "fails") {
          await giveUp(scope, post, "refused");
          continue;
        }
        const tried = await noteTry(scope, post);
        if (!tried) continue;
        if (post.messageId === null) {
          const delivery = await scope.db.delivery.findUniqueOrThrow({ where: { id: post.subjectId } });
          texts.push(delivery.text);
        }
        const messageId = post.messageId ?? `om_sent_${++sent}`;
        await noteShown(scope, tried, { shown: tried.wanted, messageId, chatId: "oc_dm_owner", sentAs: "card" });
      }
      await settleDeliveries(scope);
      return texts;
    },
    async items(status = "active") {
      const rows = await scope.db.trackingItem.findMany({
        where: { agentId: scope.agent.id, status },
        orderBy: { number: "asc" },
      });
      return rows.map((row) => trackingItemSchema.parse(row));
    },
    release: () => test.release(),
  };
}
