import type { AgentSwitch } from "../page-api.ts";
import { post } from "./call-server.ts";
import { avatar } from "./card/person.ts";
import { choiceList } from "./choice-list.ts";
import { type IconName, icon } from "./icons.ts";
import { make } from "./make.ts";
import type { PageStore } from "./page-store.ts";
import { openPopup } from "./popup.ts";
import type { Reader } from "./reader.ts";
import { createTimeMachine } from "./time-machine.ts";

const LOOKS = ["system", "light", "dark"] as const satisfies readonly Reader["look"][];
const LOOK_ICONS = { system: "halves", light: "sun", dark: "moon" } as const satisfies Record<Reader["look"], IconName>;
const LANGUAGES = [
  { value: "zh_cn", label: "简体中文" },
  { value: "en_us", label: "English" },
] as const;

/** The strip above everything: what this is, what time it is, who reads, in which language and look. */
export function createTopBar(store: PageStore): HTMLElement {
  const clock = createTimeMachine(store);
  const brand = make("div", "brand");
  const who = menuButton("who-button");
  const language = menuButton("language-button");
  const look = menuButton("look-button");
  const agent = make("button", { class: "top-button agent-button", attrs: { type: "button" } });
  const fold = make("button", { class: "top-button fold-button", attrs: { type: "button" } }, icon("panel"));

  who.addEventListener("click", () => {
    const { users } = store.state();
    pick(
      who,
      store.words().whoAmI,
      users.map((user) => ({
        value: user.userId,
        label: `${user.name} · ${user.role[store.language()]}`,
        picture: avatar(user.userId, user.initials, "small"),
      })),
      store.me().userId,
      // A person's own client language comes with the person.
      (userId) => store.setReader({ userId, language: undefined }),
    );
  });
  language.addEventListener("click", () => {
    pick(language, store.words().readerLanguage, LANGUAGES, store.language(), (value) => {
      const chosen = LANGUAGES.find((each) => each.value === value)?.value;
      store.setReader({ language: chosen });
    });
  });
  look.addEventListener("click", () => {
    const names = lookNames(store);
    pick(
      look,
      store.words().look,
      LOOKS.map((value) => ({ value, label: names[value] })),
      store.reader().look,
      (value) => store.setReader({ look: LOOKS.find((each) => each === value) ?? "system" }),
    );
  });
  agent.addEventListener("click", () => {
    const up = store.state().agent?.up === true;
    // Everyone who watches hears of it by the stream.
    post<AgentSwitch>("/agent", { up: !up }).catch((error: unknown) => store.note("error", String(error)));
  });
  fold.addEventListener("click", () => store.setReader({ inspectorOpen: !store.reader().inspectorOpen }));

  const draw = (): void => {
    const words = store.words();
    const me = store.me();
    const reader = store.reader();
    brand.replaceChildren(make("strong", {}, words.product), make("span", "brand-note", words.productNote));
    who.replaceChildren(avatar(me.userId, me.initials, "small"), make("span", "top-label", me.name));
    label(who, `${words.whoAmI}: ${me.name}`);
    language.replaceChildren(icon("globe"), make("span", "top-label", store.language() === "zh_cn" ? "中文" : "EN"));
    label(language, words.readerLanguage);
    look.replaceChildren(icon(LOOK_ICONS[reader.look]));
    label(look, `${words.look}: ${lookNames(store)[reader.look]}`);
    const { agent: standIn } = store.state();
    agent.hidden = standIn === undefined;
    if (standIn !== undefined) {
      const [name, action] = standIn.up ? [words.agentUp, words.agentTurnOff] : [words.agentDown, words.agentTurnOn];
      agent.replaceChildren(icon("power"), make("span", "top-label", name));
      label(agent, `${name} · ${action}`);
      agent.setAttribute("aria-pressed", String(standIn.up));
    }
    label(fold, reader.inspectorOpen ? words.hideInspector : words.showInspector);
    fold.setAttribute("aria-pressed", String(reader.inspectorOpen));
    document.documentElement.lang = store.language() === "zh_cn" ? "zh-CN" : "en";
    document.documentElement.dataset.look = reader.look;
  };
  store.watch(draw);
  draw();
  return make("header", "top-bar", brand, clock, make("div", "top-tools", agent, who, language, look, fold));
}

function lookNames(store: PageStore): Record<Reader["look"], string> {
  const words = store.words();
  return { system: words.lookSystem, light: words.lookLight, dark: words.lookDark };
}

function menuButton(name: string): HTMLButtonElement {
  return make("button", {
    class: `top-button ${name}`,
    attrs: { type: "button", "aria-haspopup": "listbox", "aria-expanded": "false" },
  });
}

function label(button: HTMLElement, text: string): void {
  button.setAttribute("aria-label", text);
  button.title = text;
}

function pick(
  anchor: HTMLElement,
  title: string,
  choices: readonly { value: string; label: string; picture?: HTMLElement }[],
  selected: string,
  onPick: (value: string) => void,
): void {
  const list = choiceList({
    role: "listbox",
    label: title,
    choices,
    selected: new Set([selected]),
    emptyText: "",
    onPick: (value) => {
      popup.close();
      onPick(value);
    },
  });
  const popup = openPopup(anchor, title, list);
}
