import { z } from "zod";
import { closeItem } from "../../engine/tracking/close-item.ts";
import { type Command, defineCommand } from "../command.ts";
import { alreadyLine, pickItem } from "./pick-item.ts";

/** /done and /drop differ in the word only. */
function closing(name: "done" | "drop", why: "done" | "dropped", example: string): Command {
  return defineCommand({
    name,
    needs: "item.decide",
    usage: `/${name} N`,
    summary: (t) => t.command.summary[name],
    example,
    expects: "number",
    args: z.string().min(1).max(200),
    async run(ctx, ref) {
      const picked = await pickItem(ctx, ref);
      if ("line" in picked) return picked;
      const result = await closeItem(ctx.scope, ctx.who, { itemId: picked.item.id, why });
      if (result.outcome === "already") return { line: alreadyLine(ctx, result) };
      const { number, title } = result.item;
      const { t } = ctx.reader;
      return { line: why === "done" ? t.command.closedDone(number, title) : t.command.closedDropped(number, title) };
    },
  });
}

export const done = closing("done", "done", "/done 3");
export const drop = closing("drop", "dropped", "/drop 3");
