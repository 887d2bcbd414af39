import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CronJob } from "../engine/ports.ts";
import { HermesCronList } from "./cron-list.ts";
import { writeBeside } from "./write-beside.ts";

export const WAKE_JOB = "herald-wake";
const SCRIPT = "herald_wake.py";
const PROMPT =
  "The script has asked Herald what is open. Follow the instructions it printed, to the letter: proactivity_read, then proactivity_select once, then answer [SILENT]. If it printed no instructions, answer [SILENT].";
const TIMEOUT_MS = 60_000;

/** What stands in a Hermes home of the job that wakes the agent for Herald. */
export interface WakeStatus {
  script: "current" | "other" | "none";
  job?: CronJob;
}

/** @throws EngineError unavailable when Hermes' list of jobs cannot be read */
export async function wakeStatus(home: string, source: string): Promise<WakeStatus> {
  const path = join(home, "scripts", SCRIPT);
  const job = (await new HermesCronList(home).list()).find(({ name }) => name === WAKE_JOB);
  const script = !existsSync(path)
    ? "none"
    : readFileSync(path, "utf8") === readFileSync(source, "utf8")
      ? "current"
      : "other";
  return { script, ...(job && { job }) };
}

/** Puts the script where Hermes runs scripts from. */
export function putWakeScript(home: string, source: string): void {
  mkdirSync(join(home, "scripts"), { recursive: true });
  writeBeside(join(home, "scripts", SCRIPT), readFileSync(source, "utf8"), 0o644);
}

export function removeWakeScript(home: string): void {
  rmSync(join(home, "scripts", SCRIPT), { force: true });
}

/** The command that makes the job, as a person would type it. */
export function createCommand(schedule: string): readonly string[] {
  return ["cron", "create", schedule, PROMPT, "--name", WAKE_JOB, "--script", SCRIPT, "--deliver", "local"];
}

export function removeCommand(id: string): readonly string[] {
  return ["cron", "remove", id];
}

/** Runs Hermes' own command; jobs are written through Hermes only. False: there is no such command, or it refused. */
export function runHermes(home: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn("env", [`HERMES_HOME=${home}`, "hermes", ...args], { stdio: "ignore", timeout: TIMEOUT_MS });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}

/** A command line as it can be pasted into a shell. */
export function asTyped(args: readonly string[]): string {
  return [
    "hermes",
    ...args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`)),
  ].join(" ");
}
