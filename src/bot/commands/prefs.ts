import { z } from "zod";
import { defineCommand } from "../command.ts";
import { PREFERENCES_TEMPLATE } from "../preferences-template.ts";

export const prefs = defineCommand({
  name: "prefs",
  needs: "prefs.edit",
  usage: "/prefs",
  summary: (t) => t.command.summary.prefs,
  example: "/prefs",
  expects: "nothing",
  args: z.literal(""),
  reachesOut: true,
  async run({ scope, who, reader, messageId }) {
    const stored = await scope.preferences.read();
    const text = stored ?? PREFERENCES_TEMPLATE[reader.language];
    // Made when missing, so that there is a file to edit by hand as well.
    if (stored === undefined) await scope.preferences.write(text, undefined);
    return { card: { subject: { kind: "prefs", id: messageId }, view: { text, viewer: who.openId } } };
  },
});
