import { z } from "zod";
import { defineCommand } from "../command.ts";

export const items = defineCommand({
  name: "items",
  needs: "item.list",
  usage: "/items [closed|all]",
  summary: (t) => t.command.summary.items,
  example: "/items closed",
  expects: "list",
  args: z
    .string()
    .toLowerCase()
    .pipe(z.enum(["", "open", "closed", "all"])),
  run: async ({ who, place }, list) => ({
    card: {
      subject: { kind: "item-list", id: who.openId },
      view: { list: list === "" ? "open" : list, page: 1, viewer: who.openId, chatType: place.chatType },
    },
  }),
});
