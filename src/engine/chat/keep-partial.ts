import { cut } from "../clean-text.ts";
import { jsonColumn } from "../json-column.ts";
import type { Scope } from "../scope.ts";
import type { Activity, Turn } from "./turn.ts";

/** What has been said so far is stored this often: after a crash the card shows what there was. */
const STORE_EVERY_MS = 3_000;
const PARTIAL_CHARS = 200_000;

/** Keeps the latest of what a running turn has said, at most one write at a time. */
export function keepPartial(
  scope: Scope,
  turn: Turn,
): { text: (text: string) => void; activity: (tools: readonly Activity[]) => void; end: () => Promise<void> } {
  let latest: { reply?: string; activity?: readonly Activity[] } = {};
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const write = (): void => {
    const { reply, activity } = latest;
    latest = {};
    timer = undefined;
    writing = writing
      .then(() =>
        scope.db.turn.updateMany({
          where: { id: turn.id, agentId: scope.agent.id, status: "running" },
          data: {
            ...(reply !== undefined && { reply: cut(reply, PARTIAL_CHARS) }),
            ...(activity !== undefined && { activity: jsonColumn([...activity]) }),
          },
        }),
      )
      .then(
        () => {},
        (error: unknown) => scope.log.warn("turn.partial_not_kept", { turn: turn.id, error: String(error) }),
      );
  };
  const soon = (): void => {
    timer ??= setTimeout(write, STORE_EVERY_MS);
  };
  return {
    text(text) {
      latest.reply = text;
      soon();
    },
    activity(tools) {
      latest.activity = tools.map((tool) => ({ ...tool }));
      soon();
    },
    async end() {
      clearTimeout(timer);
      if (latest.reply !== undefined || latest.activity !== undefined) write();
      await writing;
    },
  };
}
