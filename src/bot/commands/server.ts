import { z } from "zod";
import { recordAudit } from "../../engine/audit.ts";
import { inTransaction } from "../../engine/db.ts";
import { defineCommand } from "../command.ts";

export const doctor = defineCommand({
  name: "doctor",
  needs: "status.read",
  usage: "/doctor",
  summary: (t) => t.server.summary.doctor,
  example: "/doctor",
  expects: "nothing",
  args: z.literal(""),
  reachesOut: true,
  async run({ tools, reader }) {
    if (tools === undefined) return { line: reader.t.server.notHere };
    const { text } = await tools.run("doctor", reader.language);
    return { line: text === "" ? reader.t.server.noAnswer : text };
  },
});

export const backup = defineCommand({
  name: "backup",
  needs: "backup.make",
  usage: "/backup",
  summary: (t) => t.server.summary.backup,
  example: "/backup",
  expects: "nothing",
  args: z.literal(""),
  reachesOut: true,
  async run({ scope, who, tools, reader }) {
    if (tools === undefined) return { line: reader.t.server.notHere };
    const { ok, text } = await tools.run("backup", reader.language);
    await inTransaction(scope.db, (tx) => recordAudit(tx, scope, { who, what: "backup.make", after: { ok } }));
    return { line: text === "" ? reader.t.server.noAnswer : text };
  },
});
