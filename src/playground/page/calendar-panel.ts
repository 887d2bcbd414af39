import type { PageWords } from "./i18n.ts";
import { icon } from "./icons.ts";
import { lookUp } from "./look-up.ts";
import { make } from "./make.ts";
import { monthPage, type Picked, type PickerKind } from "./picked-time.ts";

type Options = {
  readonly kind: PickerKind;
  readonly words: PageWords;
  /** What the reader's wall clock shows now: marked in the calendar, and where choosing starts. */
  readonly today: Picked;
  readonly start: Picked | undefined;
  readonly onPick: (picked: Picked) => void;
};

const MINUTE_STEP = 5;
const DAY_STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** A month's page and, where a time is wanted, hours and minutes; operated by tap or by arrows and Enter. */
export function calendarPanel({ kind, words, today, start, onPick }: Options): HTMLElement {
  let picked: Picked = start ?? nextSlot(today);
  const page = make("div", "calendar");
  const panel = make("div", `picker-panel ${kind}`);

  const drawPage = (focusDay: boolean): void => {
    const turn = (months: number) => (): void => {
      const moved = new Date(Date.UTC(picked.year, picked.month - 1 + months, 1));
      const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
      picked = {
        ...picked,
        year: moved.getUTCFullYear(),
        month: moved.getUTCMonth() + 1,
        day: Math.min(picked.day, last),
      };
      drawPage(false);
    };
    const pick = (day: { year: number; month: number; day: number }): void => {
      picked = { ...picked, year: day.year, month: day.month, day: day.day };
      if (kind === "date") onPick(picked);
      else drawPage(true);
    };
    const rows = monthPage(picked.year, picked.month).map((week) =>
      make(
        "tr",
        {},
        ...week.map((day) => {
          const isPicked = day.inMonth && day.day === picked.day;
          const isToday = day.year === today.year && day.month === today.month && day.day === today.day;
          return make(
            "td",
            {},
            make(
              "button",
              {
                class: `day${day.inMonth ? "" : " other"}${isToday ? " today" : ""}`,
                attrs: {
                  type: "button",
                  tabindex: isPicked ? 0 : -1,
                  "aria-pressed": String(isPicked),
                  "aria-current": isToday ? "date" : undefined,
                  "aria-label": `${words.month(day.year, day.month)} ${day.day}`,
                },
                on: { click: () => pick(day) },
              },
              String(day.day),
            ),
          );
        }),
      ),
    );
    page.replaceChildren(
      make(
        "div",
        "calendar-head",
        make(
          "button",
          {
            class: "plain-icon",
            attrs: { type: "button", "aria-label": words.previousMonth },
            on: { click: turn(-1) },
          },
          icon("back"),
        ),
        make("strong", { attrs: { "aria-live": "polite" } }, words.month(picked.year, picked.month)),
        make(
          "button",
          { class: "plain-icon", attrs: { type: "button", "aria-label": words.nextMonth }, on: { click: turn(1) } },
          icon("forward"),
        ),
      ),
      make(
        "table",
        "calendar-days",
        make(
          "thead",
          {},
          make("tr", {}, ...words.weekdays.map((name) => make("th", { attrs: { scope: "col" } }, name))),
        ),
        make("tbody", {}, ...rows),
      ),
    );
    if (focusDay) page.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
  };
  page.addEventListener("keydown", (event) => {
    const step = lookUp(DAY_STEPS, event.key);
    if (step === undefined || !(event.target as HTMLElement).classList.contains("day")) return;
    event.preventDefault();
    const moved = new Date(Date.UTC(picked.year, picked.month - 1, picked.day + step));
    picked = { ...picked, year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
    drawPage(true);
  });

  const wheel = (
    label: string,
    count: number,
    step: number,
    now: number,
    onChoose: (value: number) => void,
  ): HTMLElement => {
    const values = Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
    if (!values.includes(now)) values.push(now);
    const select = make(
      "select",
      { class: "wheel", attrs: { "aria-label": label } },
      ...values
        .sort((a, b) => a - b)
        .map((value) => make("option", { attrs: { value, selected: value === now } }, String(value).padStart(2, "0"))),
    );
    select.addEventListener("change", () => onChoose(Number(select.value)));
    return select;
  };

  if (kind !== "time") {
    drawPage(false);
    page.querySelector("[aria-pressed=true]")?.setAttribute("autofocus", "");
    panel.append(page);
  }
  if (kind !== "date") {
    const hours = wheel(words.hour, 24, 1, picked.hour, (hour) => {
      picked = { ...picked, hour };
    });
    const minutes = wheel(words.minute, 60, MINUTE_STEP, picked.minute, (minute) => {
      picked = { ...picked, minute };
    });
    panel.append(make("div", "clock-row", icon("clock"), hours, make("span", {}, ":"), minutes));
    panel.append(
      make(
        "div",
        "popup-foot",
        make(
          "button",
          { class: "button primary_filled small", attrs: { type: "button" }, on: { click: () => onPick(picked) } },
          words.confirm,
        ),
      ),
    );
  }
  return panel;
}

/** The next full five minutes: what is offered first must not lie in the past already. */
function nextSlot(now: Picked): Picked {
  const minute = (Math.floor(now.minute / MINUTE_STEP) + 1) * MINUTE_STEP;
  const slot = new Date(Date.UTC(now.year, now.month - 1, now.day, now.hour, minute));
  return {
    year: slot.getUTCFullYear(),
    month: slot.getUTCMonth() + 1,
    day: slot.getUTCDate(),
    hour: slot.getUTCHours(),
    minute: slot.getUTCMinutes(),
  };
}
