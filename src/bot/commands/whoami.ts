import { z } from "zod";
import { defineCommand } from "../command.ts";

export const whoami = defineCommand({
  name: "whoami",
  needs: "help.read",
  usage: "/whoami",
  summary: (t) => t.command.summary.whoami,
  example: "/whoami",
  expects: "nothing",
  args: z.literal(""),
  run: async ({ who, reader: { t, language, zone } }) => ({
    line: t.command.whoami(
      who.name ?? "",
      t.command.role[who.role],
      who.openId,
      t.command.languageName[language],
      zone,
    ),
  }),
});
