import type { Config } from "../../config.ts";
import { checkFeishu } from "./check-feishu.ts";
import { checkHermes, checkRival } from "./check-hermes.ts";
import { checkDatabase, checkFolder, checkNode, checkServer } from "./check-machine.ts";
import { checkModel } from "./check-model.ts";
import { checkRows } from "./check-rows.ts";
import { CHECKS, type Finding, leftOut, ok } from "./finding.ts";

/**
 * Looks at everything that setting up touched, and at what has run since. Changes nothing but what opening a current
 * database changes; each check stands by itself, so that one that fails hides no other.
 * @param now of this machine, for its clock is one of the things looked at
 */
export async function doctor(config: Config, nodeVersion: string, now: () => Date): Promise<Finding[]> {
  const folder = checkFolder(config);
  const [database, server, feishu, hermes, model] = await Promise.all([
    checkDatabase(config),
    checkServer(config),
    config.feishu === undefined ? withoutFeishu() : checkFeishu(config.feishu, now),
    checkHermes(config),
    checkModel(config),
  ]);
  const inOrder = database.state === "ok" && folder.every((finding) => finding.state !== "fail");
  const rows = inOrder
    ? await checkRows(config, server.state === "ok")
    : [leftOut("owner"), leftOut("gateway"), leftOut("looks")];
  const found = [
    ok("config", { mode: config.mode }),
    checkNode(nodeVersion),
    ...folder,
    database,
    server,
    ...feishu,
    checkRival(config),
    ...rows,
    ...hermes,
    model,
  ];
  return found.sort((a, b) => CHECKS.indexOf(a.check) - CHECKS.indexOf(b.check));
}

function withoutFeishu(): Finding[] {
  return [
    leftOut("clock"),
    leftOut("feishu"),
    leftOut("bot"),
    leftOut("scopes"),
    leftOut("events"),
    leftOut("callbacks"),
  ];
}
