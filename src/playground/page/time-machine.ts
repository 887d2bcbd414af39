import type { ClockAnswer, ClockRequest } from "../page-api.ts";
import { CallError, post } from "./call-server.ts";
import { formatClock, instantOf, wallClock } from "./format-time.ts";
import { icon } from "./icons.ts";
import { make } from "./make.ts";
import type { PageStore } from "./page-store.ts";
import { openPopup } from "./popup.ts";
import { JUMPS, type Jump, jumpTarget } from "./time-jumps.ts";
import { showToast } from "./toast.ts";

const TICK_MS = 1000;

/** The button that shows the virtual time and opens the time machine. */
export function createTimeMachine(store: PageStore): HTMLElement {
  const label = make("span", "clock-label");
  const button = make(
    "button",
    { class: "clock-button", attrs: { type: "button", "aria-haspopup": "dialog", "aria-expanded": "false" } },
    icon("clock"),
    label,
  );
  let going = "";

  const place = (): { language: ReturnType<PageStore["language"]>; timeZone: string } => ({
    language: store.language(),
    timeZone: store.state().timeZone,
  });
  const draw = (): void => {
    const now = formatClock(store.nowMs(), place());
    const text = going || now;
    if (label.textContent !== text) label.textContent = text;
    button.setAttribute("aria-label", `${store.words().timeMachine}: ${store.words().timeNow(now)}`);
    button.title = store.words().timeMachine;
    button.toggleAttribute("aria-busy", going !== "");
  };
  const go = async (targetMs: number): Promise<void> => {
    const words = store.words();
    if (targetMs <= store.nowMs()) {
      showToast("warning", words.jumpBackwards);
      return;
    }
    going = words.jumping(formatClock(targetMs, place()));
    draw();
    try {
      const request: ClockRequest = { now: new Date(targetMs).toISOString() };
      const answer = await post<ClockAnswer>("/clock", request);
      store.hear({ id: store.state().lastEventId, type: "clock", now: answer.now });
      showToast("success", words.jumped(formatClock(Date.parse(answer.now), place())));
    } catch (error) {
      showToast("error", error instanceof CallError && error.message ? error.message : words.jumpFailed);
    } finally {
      going = "";
      draw();
    }
  };

  button.addEventListener("click", () => {
    const words = store.words();
    const now = store.nowMs();
    const { timeZone } = store.state();
    const jump = (kind: Jump): HTMLElement => {
      const target = jumpTarget(kind, now, timeZone);
      const isLate = kind === "tonight" && wallClock(target, timeZone).day !== wallClock(now, timeZone).day;
      return make(
        "button",
        {
          class: "jump-choice",
          attrs: { type: "button" },
          on: {
            click: () => {
              popup.close();
              void go(target);
            },
          },
        },
        make("span", {}, isLate ? words.jumps.nextEvening : words.jumps[kind]),
        make("span", "muted", formatClock(target, place())),
      );
    };
    const field = make("input", {
      class: "field",
      attrs: {
        type: "datetime-local",
        "aria-label": words.jumpCustom,
        value: localValue(now, timeZone),
        min: localValue(now, timeZone),
      },
    });
    const custom = make(
      "div",
      "jump-custom",
      make("span", "field-label", words.jumpCustom),
      make(
        "div",
        "field-box",
        field,
        make(
          "button",
          {
            class: "button primary_filled small",
            attrs: { type: "button" },
            on: {
              click: () => {
                const target = instantOfLocal(field.value, timeZone);
                if (target === undefined) return;
                popup.close();
                void go(target);
              },
            },
          },
          words.jumpTo,
        ),
      ),
    );
    const panel = make(
      "div",
      "time-panel",
      make("h2", {}, words.timeMachine),
      make("p", "muted", store.state().clockCanMove ? words.timeMachineNote : words.timeFixed),
      make("p", "time-now", words.timeNow(formatClock(now, place())), make("span", "muted", ` ${timeZone}`)),
      ...(store.state().clockCanMove ? [make("div", "jumps", ...JUMPS.map(jump)), custom] : []),
    );
    const popup = openPopup(button, words.timeMachine, panel);
  });

  store.watch(draw);
  window.setInterval(draw, TICK_MS);
  draw();
  return button;
}

function localValue(atMs: number, timeZone: string): string {
  const { year, month, day, hour, minute } = wallClock(atMs, timeZone);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
}

function instantOfLocal(value: string, timeZone: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/.exec(value);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  return instantOf({ year, month, day, hour, minute }, timeZone);
}
