#!/usr/bin/env node
import { pathToFileURL } from "node:url";
import { bundle } from "./run.mjs";

const out = await bundle("src/cli/herald.ts");
await import(pathToFileURL(out).href);
