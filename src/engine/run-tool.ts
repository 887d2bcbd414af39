import { spawn } from "node:child_process";

/** A program of the system's that is not installed. `tool` is its name. */
export class ToolMissing extends Error {
  readonly tool: string;

  constructor(tool: string) {
    super(`${tool} is not installed`);
    this.name = "ToolMissing";
    this.tool = tool;
  }
}

/** What a program finds around it. */
export type Environment = Readonly<Record<string, string | undefined>>;

const MOST_ERROR_CHARS = 2_000;

/**
 * Runs a program to its end, without a shell.
 * @throws ToolMissing when there is no such program
 * @throws Error with the end of what it wrote to standard error when it fails
 */
export async function runTool(tool: string, args: readonly string[], environment: Environment): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn(tool, args, { stdio: ["ignore", "ignore", "pipe"], env: { ...environment } });
    let said = "";
    child.stderr.on("data", (piece: Buffer) => {
      said = `${said}${piece.toString("utf8")}`.slice(-MOST_ERROR_CHARS);
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "ENOENT" ? new ToolMissing(tool) : error);
    });
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${tool}: ${said.trim() || `ended with ${code}`}`));
    });
  });
}

/** How PostgreSQL's tools are told the database: the password goes through the environment, since others see arguments. */
export function postgresPlace(url: string, environment: Environment): { url: string; environment: Environment } {
  const bare = new URL(url);
  const password = decodeURIComponent(bare.password);
  bare.password = "";
  // Prisma's own parameters mean nothing to them.
  bare.searchParams.delete("schema");
  return { url: bare.href, environment: { ...environment, ...(password !== "" && { PGPASSWORD: password }) } };
}
