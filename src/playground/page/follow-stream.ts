import type { PageEvent } from "../page-api.ts";

/** Whether the page hears of news at once. */
export type StreamStatus = "open" | "lost";

const TYPES = ["message", "patch", "recall", "state", "clock", "agent"] as const satisfies readonly PageEvent["type"][];
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 5000;

/**
 * Follows the server's news from `after` on. A lost connection is opened again, from the last event that was seen, so
 * nothing is missed; events that come twice are left out.
 * @returns a function that stops following.
 */
export function followStream(
  after: number,
  onEvent: (event: PageEvent) => void,
  onStatus: (status: StreamStatus) => void,
): () => void {
  let last = after;
  let retryMs = FIRST_RETRY_MS;
  let source: EventSource | undefined;
  let timer: number | undefined;
  let stopped = false;

  const open = (): void => {
    if (stopped) return;
    source = new EventSource(`/playground/api/stream?after=${last}`);
    source.addEventListener("open", () => {
      retryMs = FIRST_RETRY_MS;
      onStatus("open");
    });
    source.addEventListener("error", () => {
      source?.close();
      onStatus("lost");
      timer = window.setTimeout(open, retryMs);
      retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
    });
    for (const type of TYPES) {
      source.addEventListener(type, (message: MessageEvent<string>) => {
        const event = JSON.parse(message.data) as PageEvent;
        const isReload = event.type === "state" && event.reload;
        if (event.id <= last && !isReload) return;
        last = event.id;
        onEvent(event);
      });
    }
  };
  open();
  return () => {
    stopped = true;
    window.clearTimeout(timer);
    source?.close();
  };
}
