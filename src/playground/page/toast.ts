import type { ToastType } from "../page-api.ts";
import { type IconName, icon } from "./icons.ts";
import { make } from "./make.ts";

const SHOWN_MS = 3000;
const SHOWN_PER_CHAR_MS = 60;
/** Browsers of before 2024 have no top layer for it; there a toast shows like any other element. */
const CAN_LIFT = "showPopover" in HTMLElement.prototype;
const ICONS = { info: "info", success: "success", warning: "warning", error: "error" } as const satisfies Record<
  ToastType,
  IconName
>;

/** Shows one line for a while at the top, and reads it to those who listen. A new one takes the old one's place. */
export function showToast(type: ToastType, text: string): void {
  const region = document.getElementById("toasts");
  if (!region) return;
  // An open dialog lies in the browser's top layer; the toast must lie above it.
  lower(region);
  if (CAN_LIFT) region.showPopover();
  const toast = make("div", `toast ${type}`, icon(ICONS[type]), make("span", {}, text));
  region.replaceChildren(toast);
  announce(text);
  window.setTimeout(
    () => {
      if (!toast.isConnected) return;
      toast.remove();
      lower(region);
    },
    SHOWN_MS + text.length * SHOWN_PER_CHAR_MS,
  );
}

function lower(region: HTMLElement): void {
  if (CAN_LIFT && region.matches(":popover-open")) region.hidePopover();
}

/** Reads a line to those who listen to the page, without showing it. */
export function announce(text: string): void {
  const region = document.getElementById("announce");
  if (region) region.textContent = text;
}
