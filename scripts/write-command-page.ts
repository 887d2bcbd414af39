// Writes docs/commands.md from the table of commands; a test compares the two.
import { mkdirSync, writeFileSync } from "node:fs";
import { commandPage } from "../src/bot/command-page.ts";

mkdirSync("docs", { recursive: true });
writeFileSync("docs/commands.md", commandPage());
