import { readFileSync } from "node:fs";
import { projectRoot } from "./project-root.ts";

/** Herald's version, from package.json. */
export const VERSION: string = (JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8")) as { version: string })
  .version;
