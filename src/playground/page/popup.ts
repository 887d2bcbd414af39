import { make } from "./make.ts";

const GAP_PX = 4;
const EDGE_PX = 8;

/** An open layer above the page. */
export type Popup = { readonly dialog: HTMLDialogElement; readonly close: () => void };

/**
 * Shows `content` beside `anchor` (on a phone: as a sheet from below). Escape and a tap outside close it, and the
 * focus goes back to the anchor.
 */
export function openPopup(anchor: HTMLElement, label: string, content: HTMLElement, onClose?: () => void): Popup {
  const dialog = make("dialog", { class: "popup", attrs: { "aria-label": label } }, content);
  const close = (): void => dialog.close();
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    anchor.setAttribute("aria-expanded", "false");
    onClose?.();
    if (anchor.isConnected) anchor.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  anchor.setAttribute("aria-expanded", "true");
  dialog.showModal();
  place(dialog, anchor);
  return { dialog, close };
}

/** Below the anchor when there is room, otherwise above; never over the window's edge. The style sheet docks it on phones. */
function place(dialog: HTMLDialogElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  dialog.style.setProperty("--anchor-width", `${Math.round(at.width)}px`);
  const own = dialog.getBoundingClientRect();
  const below = at.bottom + GAP_PX;
  const fits = below + own.height <= window.innerHeight - EDGE_PX;
  const top = fits ? below : Math.max(EDGE_PX, at.top - GAP_PX - own.height);
  const left = Math.max(EDGE_PX, Math.min(at.left, window.innerWidth - own.width - EDGE_PX));
  dialog.style.setProperty("--popup-top", `${Math.round(top)}px`);
  dialog.style.setProperty("--popup-left", `${Math.round(left)}px`);
}

/** Asks before something is done. Resolves to false on cancel, Escape or a tap outside. */
export function askFirst(title: string, text: string, yes: string, no: string): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = make(
      "dialog",
      { class: "ask", attrs: { "aria-label": title } },
      make("h2", {}, title),
      text ? make("p", {}, text) : undefined,
      make(
        "div",
        "ask-buttons",
        make(
          "button",
          { class: "button default medium", attrs: { type: "button" }, on: { click: () => dialog.close() } },
          no,
        ),
        make(
          "button",
          {
            class: "button primary_filled medium",
            attrs: { type: "button", autofocus: true },
            on: { click: () => dialog.close("yes") },
          },
          yes,
        ),
      ),
    );
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
