import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { type Config, processEnvironment } from "../config.ts";
import { BackupRefused } from "../engine/backup-file.ts";
import { databasePlace } from "../engine/db.ts";
import { makeBackup } from "../engine/make-backup.ts";
import { RestoreRefused, restoreBackup } from "../engine/restore-backup.ts";
import { ToolMissing } from "../engine/run-tool.ts";
import { keepBridgeToken, readBridgeToken } from "../hermes-bridge/bridge-token.ts";
import { type Texts, textsFor } from "../text/pick.ts";
import { VERSION } from "../version.ts";
import type { HermesAnswer } from "./hermes.ts";

/** `herald backup [file]`: one file out, while the server runs or not. Without a name it goes to the data folder's backups. */
export async function backup(config: Config, file: string | undefined, now: Date): Promise<HermesAnswer> {
  const { backup: t } = textsFor(config.terminal ?? config.language);
  const place = databasePlace(config.databaseUrl);
  if (place.provider === "sqlite" && !existsSync(place.path)) return { ok: false, lines: [t.nothing(place.path)] };
  const stamp = now.toISOString().replace(/\D/g, "").slice(0, 14);
  const target = file === undefined ? join(config.dataDir, "backups", `herald-${stamp}.backup`) : resolve(file);
  return saying(t, async () => {
    const { header } = await makeBackup({
      databaseUrl: config.databaseUrl,
      target,
      now,
      version: VERSION,
      driver: config.sqliteDriver,
      bridgeToken: config.bridgeToken ?? readBridgeToken(config.dataDir),
      environment: processEnvironment(),
    });
    return {
      ok: true,
      lines: [t.made(target, megabytes(statSync(target).size)), t.holds(counted(header.counts)), t.secret],
    };
  });
}

/** `herald restore <file>`: one file in. Asks first, unless `yes`; without a terminal to ask at, `--yes` is needed. */
export async function restore(config: Config, file: string, yes: boolean, now: Date): Promise<HermesAnswer> {
  const { backup: t } = textsFor(config.terminal ?? config.language);
  const source = resolve(file);
  if (!yes && !(await agreed(t.ask(source)))) return { ok: false, lines: [process.stdin.isTTY ? t.stopped : t.sayYes] };
  return saying(t, async () => {
    const { header, replaced } = await restoreBackup({
      source,
      databaseUrl: config.databaseUrl,
      now,
      driver: config.sqliteDriver,
      environment: processEnvironment(),
    });
    if (header.bridgeToken !== undefined && config.bridgeToken === undefined) {
      keepBridgeToken(config.dataDir, header.bridgeToken);
    }
    return {
      ok: true,
      lines: [
        t.restored(header.createdAt, header.version),
        t.holds(counted(header.counts)),
        ...(replaced === undefined ? [] : [t.replaced(replaced)]),
        t.startNow,
      ],
    };
  });
}

async function agreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^(?:y|yes|是|好)$/i.test((await asking.question(`${question} `)).trim());
  } finally {
    asking.close();
  }
}

async function saying(t: Texts["backup"], act: () => Promise<HermesAnswer>): Promise<HermesAnswer> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof BackupRefused) return { ok: false, lines: [t.refused[error.problem]] };
    if (error instanceof RestoreRefused) {
      return { ok: false, lines: [t.cannot[error.problem](error.header?.version ?? "?")] };
    }
    if (error instanceof ToolMissing) return { ok: false, lines: [t.toolMissing(error.tool)] };
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === undefined || path === undefined) throw error;
    return { ok: false, lines: [t.noRights(path, code)] };
  }
}

function counted(counts: Readonly<Record<string, number>>): { people: number; items: number; deliveries: number } {
  return { people: counts.Person ?? 0, items: counts.TrackingItem ?? 0, deliveries: counts.Delivery ?? 0 };
}

function megabytes(bytes: number): string {
  return bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`;
}
