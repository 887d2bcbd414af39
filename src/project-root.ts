import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds package.json: sources and bundles stand at different depths below it. */
export const projectRoot: string = climb(dirname(fileURLToPath(import.meta.url)));

function climb(folder: string): string {
  if (existsSync(join(folder, "package.json")) && existsSync(join(folder, "prisma"))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error("package.json of hermes-herald not found above the running code");
  return climb(above);
}
