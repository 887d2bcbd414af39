import { icon } from "./icons.ts";
import { lookUp } from "./look-up.ts";
import { make } from "./make.ts";

export type Choice = { readonly value: string; readonly label: string; readonly picture?: HTMLElement };

type Options = {
  readonly role: "menu" | "listbox";
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly selected?: ReadonlySet<string>;
  readonly emptyText: string;
  readonly onPick: (value: string) => void;
};

/** A list of choices operated with arrows, Home, End, the first letter, Enter and Space, or a tap. */
export function choiceList({ role, label, choices, selected, emptyText, onPick }: Options): HTMLElement {
  const itemRole = role === "menu" ? "menuitem" : "option";
  const items = choices.map((choice) => {
    const isSelected = selected?.has(choice.value) ?? false;
    return make(
      "button",
      {
        class: "choice",
        attrs: {
          type: "button",
          role: itemRole,
          tabindex: -1,
          ...(role === "listbox" ? { "aria-selected": String(isSelected) } : {}),
        },
        on: { click: () => onPick(choice.value) },
      },
      choice.picture,
      make("span", "choice-label", choice.label),
      isSelected && icon("check"),
    );
  });
  const list = make("div", {
    class: "choices",
    attrs: { role, "aria-label": label },
    on: { keydown: (event) => moveFocus(event, items) },
  });
  list.append(...(items.length > 0 ? items : [make("p", "choices-empty", emptyText)]));
  const first =
    items[
      Math.max(
        0,
        choices.findIndex((choice) => selected?.has(choice.value)),
      )
    ];
  first?.setAttribute("tabindex", "0");
  first?.setAttribute("autofocus", "");
  return list;
}

function moveFocus(event: KeyboardEvent, items: readonly HTMLElement[]): void {
  const at = items.indexOf(document.activeElement as HTMLElement);
  const last = items.length - 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at >= last ? 0 : at + 1,
    ArrowUp: at <= 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  const letter =
    event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey ? event.key.toLowerCase() : "";
  const byLetter = letter
    ? [...items.slice(at + 1), ...items.slice(0, at + 1)].find((item) =>
        item.textContent.trim().toLowerCase().startsWith(letter),
      )
    : undefined;
  const target = byLetter ?? items[lookUp(steps, event.key) ?? -1];
  if (!target) return;
  event.preventDefault();
  for (const item of items) item.setAttribute("tabindex", item === target ? "0" : "-1");
  target.focus();
}
