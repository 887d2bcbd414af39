import type { ToolCall } from "./session-facts.ts";

/** What kind of work a session was: sessions are only compared with their like. */
export const taskCategories = [
  "code",
  "search",
  "files",
  "ops",
  "data",
  "writing",
  "chat",
  "scheduled",
  "other",
] as const;
export type TaskCategory = (typeof taskCategories)[number];

const SEARCH =
  /^(?:web|browser|fetch|search_web|google|bing|tavily|firecrawl|crawl)|_search$|^search$|_fetch$|^x_search/i;
const FILES = /^(?:read|search|list|find|glob|grep)_?(?:file|files|dir|directory|path)?s?$/i;
const EDITS =
  /^(?:patch|write_file|edit|edit_file|apply_patch|create_file|str_replace\w*|execute_code|code_execution)$/i;
const DATA = /(?:^|_)(?:sql|db|query|sheet|bitable|excel|csv|database|table)(?:_|$)/i;
const TERMINAL = /^(?:terminal|shell|bash|process|run_command|exec)$/i;
const CODING =
  /\b(?:npm|pnpm|yarn|node|tsc|vitest|jest|pytest|pip|uv|python3?|cargo|go (?:build|test|run)|make|cmake|gcc|mvn|gradle|git|docker build|eslint|biome)\b/;
const WRITING =
  /写|起草|润色|翻译|改写|总结|摘要|文案|邮件|周报|\b(?:write|draft|translate|rewrite|summari[sz]e|proofread|email|letter)\b/i;

/** Told by the tools that were used most; without tools by the first wish. Code only, no model. */
export function taskCategory(source: string, calls: readonly ToolCall[], wish: string): TaskCategory {
  if (source === "cron") return "scheduled";
  if (calls.length === 0) return WRITING.test(wish.slice(0, 300)) ? "writing" : "chat";
  const counts = new Map<TaskCategory, number>();
  const add = (category: TaskCategory, weight: number): void => {
    counts.set(category, (counts.get(category) ?? 0) + weight);
  };
  for (const { tool, input } of calls) {
    if (EDITS.test(tool)) add("code", 2);
    else if (TERMINAL.test(tool)) add(CODING.test(input.command ?? "") ? "code" : "ops", 1);
    else if (DATA.test(tool)) add("data", 1.5);
    else if (SEARCH.test(tool) && !/files?$/i.test(tool)) add("search", 1.5);
    else if (FILES.test(tool)) add("files", 1);
    else add("other", 0.5);
  }
  // Reading files and running commands are part of changing code.
  if (counts.has("code")) add("code", ((counts.get("files") ?? 0) + (counts.get("ops") ?? 0)) / 2);
  let best: TaskCategory = "other";
  let most = 0;
  for (const [category, weight] of counts) if (weight > most) [best, most] = [category, weight];
  return best;
}
