import { grantRole } from "../../engine/people/grant-role.ts";
import { assertMay } from "../../engine/people/person.ts";
import { revokeRole } from "../../engine/people/revoke-role.ts";
import type { ActionHandlers } from "./index.ts";
import { openCard } from "./open-card.ts";

/** The cards of members and of the record of changes. */
export const peopleActions: Pick<ActionHandlers, "people.grant" | "people.revoke" | "audit.list"> = {
  "people.grant": async ({ scope, who, reader: { t } }, { openId, role }) => {
    const { outcome, person } = await grantRole(scope, who, { openId, role });
    const name = person.name ?? openId;
    const words = outcome === "granted" ? t.people.granted : t.people.alreadyHas;
    return { toast: { type: "success", content: words(name, t.command.role[role]) }, redraw: true };
  },
  "people.revoke": async ({ scope, who, reader: { t } }, { openId }) => {
    if (openId === who.openId) return { toast: { type: "warning", content: t.people.notYourself }, redraw: false };
    const { outcome } = await revokeRole(scope, who, { openId });
    const words = outcome === "revoked" ? t.people.revoked : t.people.alreadyRevoked;
    return { toast: { type: "success", content: words(openId) }, redraw: true };
  },
  "audit.list": async (tap, { page }) => {
    assertMay(tap.who, "audit.read");
    return openCard(tap, { subject: { kind: "audit", id: tap.who.openId }, view: { viewer: tap.who.openId, page } }, [
      "audit",
    ]);
  },
};
