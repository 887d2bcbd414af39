import type { HiddenQueuesView } from "../../cards/hidden-queues.ts";
import type { ViewContext } from "./view-context.ts";

/** Writes stand on the report by themselves, with what can be done about them. */
const SHOWN: ReadonlySet<string> = new Set(["cron_suggestion", "failed_delivery"]);

/** What waits in Hermes beside its own writes. A queue that cannot be read counts as such and costs no report. */
export async function hiddenQueuesView({ scope, look }: ViewContext): Promise<HiddenQueuesView> {
  try {
    const { waiting, unreadable } = await scope.queues.read();
    return {
      waiting: waiting
        .filter(({ kind }) => SHOWN.has(kind))
        .map(({ kind, title, detail, since }) => ({
          kind,
          title,
          ...(detail !== undefined && { detail }),
          ...(since && since < look.now && { since }),
        })),
      unreadable,
    };
  } catch (error) {
    scope.log.warn("queues.not_read", { error: String(error) });
    return { waiting: [], unreadable: 1 };
  }
}
