import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import { explain } from "../../engine/proactive/explain.ts";
import { defineCommand } from "../command.ts";
import { pickItem } from "./pick-item.ts";

export const why = defineCommand({
  name: "why",
  needs: "item.list",
  usage: "/why [N]",
  summary: (t) => t.command.summary.why,
  example: "/why 3",
  expects: "number",
  args: z.string().max(200),
  async run(ctx, ref) {
    const { scope, who } = ctx;
    const view = { viewer: who.openId };
    if (ref === "") {
      // Nothing has been looked at yet: better a line than a card that cannot be drawn.
      const told = await explain(scope, who, "latest").catch((error: unknown) => {
        if (error instanceof EngineError && error.code === "not_found") return undefined;
        throw error;
      });
      if (told === undefined) return { line: ctx.reader.t.command.noRunYet };
      return { card: { subject: { kind: "why", id: "latest" }, view } };
    }
    const picked = await pickItem(ctx, ref);
    if ("line" in picked) return picked;
    const told = await explain(scope, who, { itemId: picked.item.id });
    const id = told.kind === "message" ? `delivery/${told.deliveryId}` : "latest";
    return { card: { subject: { kind: "why", id }, view } };
  },
});
