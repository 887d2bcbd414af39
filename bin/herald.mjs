#!/usr/bin/env node
import { run } from "./run.mjs";

await run("src/cli/herald.ts");
