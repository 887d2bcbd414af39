import { make } from "../make.ts";
import { asFlag, asObjects, asString } from "../read-json.ts";
import type { CardScene, DrawComponent } from "./scene.ts";

type Shown = {
  readonly showName: boolean;
  readonly showAvatar: boolean;
  readonly capsule: boolean;
  readonly size: string;
};

const AVATAR_HUES = ["blue", "turquoise", "violet", "orange", "indigo", "green", "carmine", "purple"] as const;

/** A round picture with one or two characters; the colour belongs to the id, so a person always looks the same. */
export function avatar(id: string, initials: string, size: string): HTMLElement {
  let sum = 0;
  for (const char of id) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 9973;
  const hue = AVATAR_HUES[sum % AVATAR_HUES.length];
  return make(
    "span",
    { class: `avatar ${size}`, attrs: { "aria-hidden": "true" }, style: { "--hue": `var(--avatar-${hue})` } },
    initials,
  );
}

/** One person: shows, does not notify. */
export function drawPerson(openId: string, scene: Pick<CardScene, "person" | "words">, shown: Shown): HTMLElement {
  const person = scene.person(openId);
  const name = person?.name ?? scene.words.unknownPerson;
  return make(
    "span",
    { class: `person ${shown.size}${shown.capsule ? " capsule" : ""}`, attrs: shown.showName ? {} : { title: name } },
    shown.showAvatar && avatar(openId, person?.initials ?? "?", shown.size),
    shown.showName ? make("span", "person-name", name) : make("span", "hidden", name),
  );
}

/** Feishu component `person`. */
export const personComponent: DrawComponent = (node, scene) =>
  make(
    "div",
    "person-row",
    drawPerson(asString(node.user_id) ?? "", scene, {
      showName: node.show_name === undefined ? node.style === "capsule" : asFlag(node.show_name),
      showAvatar: node.show_avatar === undefined || asFlag(node.show_avatar),
      capsule: node.style === "capsule",
      size: asString(node.size) ?? "medium",
    }),
  );

/** Feishu component `person_list`. */
export const personListComponent: DrawComponent = (node, scene) => {
  const showName = node.show_name === undefined || asFlag(node.show_name);
  const known = asObjects(node.persons).map((person) => asString(person.id) ?? "");
  const shown = asFlag(node.drop_invalid_user_id) ? known.filter((id) => scene.person(id)) : known;
  return make(
    "div",
    `person-row list${showName ? "" : " stacked"}`,
    ...shown.map((id) =>
      drawPerson(id, scene, {
        showName,
        showAvatar: node.show_avatar === undefined || asFlag(node.show_avatar),
        capsule: false,
        size: asString(node.size) ?? "medium",
      }),
    ),
  );
};
