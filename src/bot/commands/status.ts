import { z } from "zod";
import { defineCommand } from "../command.ts";

export const status = defineCommand({
  name: "status",
  needs: "status.read",
  usage: "/status",
  summary: (t) => t.command.summary.status,
  example: "/status",
  expects: "nothing",
  args: z.literal(""),
  run: async ({ messageId }) => ({ card: { subject: { kind: "status", id: messageId } } }),
});
