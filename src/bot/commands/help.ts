import { z } from "zod";
import { defineCommand } from "../command.ts";

export const help = defineCommand({
  name: "help",
  aliases: ["h", "start"],
  needs: "help.read",
  usage: "/help",
  summary: (t) => t.command.summary.help,
  example: "/help",
  expects: "nothing",
  args: z.string(),
  run: async ({ who }) => ({
    card: { subject: { kind: "help", id: who.openId }, view: { viewer: who.openId } },
  }),
});
