import { z } from "zod";
import { isEngineError } from "../../engine/errors.ts";
import { type Explanation, explain } from "../../engine/proactive/explain.ts";
import { defineCommand } from "../command.ts";
import { pickItem } from "./pick-item.ts";

export const why = defineCommand({
  name: "why",
  needs: "item.list",
  usage: "/why [N]",
  summary: (t) => t.command.summary.why,
  example: "/why 3",
  expects: "number",
  private: true,
  args: z.string().max(200),
  async run(ctx, ref) {
    const { scope, who } = ctx;
    const view = { viewer: who.openId };
    const { repliedTo } = ctx;
    if (ref === "" && repliedTo?.subjectKind === "delivery") {
      const told = await explain(scope, who, { deliveryId: repliedTo.subjectId });
      if (told.kind === "message")
        return { card: { subject: { kind: "why", id: `delivery/${told.deliveryId}` }, view } };
    }
    if (ref === "") {
      // Nothing has been looked at yet: better a line than a card that cannot be drawn.
      const told = await explained(() => explain(scope, who, "latest"));
      if (told === undefined) return { line: ctx.reader.t.command.noRunYet };
      return { card: { subject: { kind: "why", id: "latest" }, view } };
    }
    const picked = await pickItem(ctx, ref);
    if ("line" in picked) return picked;
    const told = await explained(() => explain(scope, who, { itemId: picked.item.id }));
    if (told?.kind !== "message")
      return { line: ctx.reader.t.command.notSpokenYet(picked.item.number, picked.item.title) };
    return { card: { subject: { kind: "why", id: `delivery/${told.deliveryId}/${picked.item.id}` }, view } };
  },
});

/** Undefined when there is nothing to explain. */
async function explained(ask: () => Promise<Explanation>): Promise<Explanation | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isEngineError(error, "not_found")) return undefined;
    throw error;
  }
}
