import { calendarPanel } from "../calendar-panel.ts";
import { wallClock } from "../format-time.ts";
import { icon } from "../icons.ts";
import { make } from "../make.ts";
import { offsetLabel, type Picked, type PickerKind, parsePicked, writePicked } from "../picked-time.ts";
import { openPopup } from "../popup.ts";
import { asFlag, asString, type JsonObject } from "../read-json.ts";
import { act } from "./act.ts";
import { holdValue } from "./field-control.ts";
import { cssWidth } from "./lengths.ts";
import type { CardScene, DrawComponent } from "./scene.ts";
import { textOf } from "./text.ts";

/** Feishu component `date_picker`. */
export const datePickerComponent: DrawComponent = (node, scene) => picker("date", node, node.initial_date, scene);
/** Feishu component `picker_time`. */
export const timePickerComponent: DrawComponent = (node, scene) => picker("time", node, node.initial_time, scene);
/** Feishu component `picker_datetime`. */
export const dateTimePickerComponent: DrawComponent = (node, scene) =>
  picker("datetime", node, node.initial_datetime, scene);

function picker(kind: PickerKind, node: JsonObject, initial: unknown, scene: CardScene): HTMLElement {
  const { words } = scene;
  const hint = { date: words.pickDate, time: words.pickTime, datetime: words.pickDateTime }[kind];
  const placeholder = textOf(node.placeholder, scene) || hint;
  const isRequired = asFlag(node.required) && scene.form !== undefined;
  const shown = make("span", "select-value");
  const box = make(
    "button",
    {
      class: "select picker",
      attrs: {
        type: "button",
        "aria-haspopup": "dialog",
        "aria-expanded": "false",
        "aria-required": isRequired ? "true" : undefined,
        "aria-disabled": asFlag(node.disabled) ? "true" : undefined,
        title: placeholder,
        "data-name": asString(node.name),
      },
      style: { width: cssWidth(node.width) },
    },
    icon(kind === "time" ? "clock" : "calendar"),
    shown,
    isRequired && make("span", { class: "star", attrs: { title: words.required } }, "*"),
  );
  const show = (value: string): void => {
    const picked = parsePicked(kind, value);
    shown.textContent = picked ? writePicked(kind, picked) : placeholder;
    shown.classList.toggle("placeholder", !picked);
  };
  const start = parsePicked(kind, asString(initial) ?? "");
  const held = holdValue({
    node,
    scene,
    element: box,
    initial: start ? withZone(kind, start, scene) : "",
    isEmpty: (value) => value === "",
    show,
  });

  box.addEventListener("click", () => {
    if (box.getAttribute("aria-disabled") === "true" || box.getAttribute("aria-busy") === "true") return;
    const now = wallClock(scene.nowMs(), scene.timeZone);
    const panel = calendarPanel({
      kind,
      words,
      today: now,
      start: parsePicked(kind, held.get()),
      onPick: (picked) => {
        popup.close();
        const value = withZone(kind, picked, scene);
        held.set(value);
        show(value);
        const name = asString(node.name);
        if (!scene.form)
          void act(node, { option: value, timezone: scene.timeZone, ...(name ? { name } : {}) }, box, scene);
      },
    });
    const popup = openPopup(box, placeholder, panel);
  });
  return box;
}

/** Feishu: a picker's value ends with the zone's offset, as in `2026-01-31 09:30 +0800`. */
function withZone(kind: PickerKind, picked: Picked, scene: CardScene): string {
  const today = wallClock(scene.nowMs(), scene.timeZone);
  const moment = kind === "time" ? { ...today, hour: picked.hour, minute: picked.minute } : picked;
  return `${writePicked(kind, picked)} ${offsetLabel(moment, scene.timeZone)}`;
}
