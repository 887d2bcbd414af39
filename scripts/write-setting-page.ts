// Writes docs/settings.md from the table of settings; a test compares the two.
import { mkdirSync, writeFileSync } from "node:fs";
import { settingPage } from "../src/bot/setting-page.ts";

mkdirSync("docs", { recursive: true });
writeFileSync("docs/settings.md", settingPage());
