import type { NoticeView } from "../../cards/notice-card.ts";
import { wordFor } from "../../cards/word-for.ts";

/** The words of a plain line, as they were stored. */
export function lineText(view: Readonly<Record<string, unknown>> | null): string {
  return typeof view?.text === "string" ? view.text : "";
}

/** What Herald itself has to tell, by name; the words stand in the texts. */
export type Notice =
  | "history_malformed"
  | "history_silent"
  | "feishu_refuses"
  | "ticks_fail"
  | "disk_full"
  | "clock_off";

/** A notice by the name stored with its post; undefined for a name this release does not know. */
export function noticeView(view: Readonly<Record<string, unknown>> | null): NoticeView | undefined {
  const notice = view?.notice;
  const detail = typeof view?.detail === "string" ? { detail: view.detail } : {};
  switch (notice) {
    case "kind_held": {
      const kind = typeof view?.type === "string" ? view.type : "";
      const because = view?.because === "plateau" ? "plateau" : "failing";
      return {
        level: "warning",
        title: (t) => t.evolution.notices.kind_held.title,
        text: (t) => t.evolution.notices.kind_held[because](wordFor(t.evolution.kinds, kind)),
        actions: [
          { label: (t) => t.evolution.notices.kind_held.resume, action: { action: "kind.resume", payload: { kind } } },
        ],
      };
    }
    case "history_malformed":
    case "history_silent":
    case "feishu_refuses":
    case "ticks_fail":
    case "disk_full":
    case "clock_off":
      return {
        level: "warning",
        title: (t) => t.command.notice[notice].title,
        text: (t) => t.command.notice[notice].text,
        ...detail,
      };
    default:
      return undefined;
  }
}
