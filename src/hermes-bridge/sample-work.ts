import { DateTime } from "luxon";
import type { SampleMessage, SampleSession } from "./sample-sessions.ts";

type Call = readonly [tool: string, input: Record<string, unknown>, result: Record<string, unknown>];

/**
 * The working day before, in sessions of the command line: done and over, with what the nightly look back finds in such
 * days. A command tried again unchanged, a file read again and again, one way of working that succeeded three times, a
 * host that was away for a few minutes.
 */
export function sampleWork(now: Date, zone: string): readonly SampleSession[] {
  const yesterday = DateTime.fromJSDate(now, { zone }).minus({ days: 1 }).startOf("day");
  /** One wish, its calls, and the answer, from a time of that day on. */
  const session = (
    key: string,
    title: string,
    at: string,
    wish: string,
    calls: readonly Call[],
    answer: string,
  ): SampleSession => {
    const [hour = 0, minute = 0] = at.split(":").map(Number);
    const begun = (now.getTime() - yesterday.set({ hour, minute }).toMillis()) / 60_000;
    const messages: SampleMessage[] = [{ role: "user", ago: begun, text: wish }];
    calls.forEach(([name, given, result], index) => {
      const ago = begun - (index + 1) / 2;
      messages.push({ role: "assistant", ago, text: "", toolCalls: [{ name, arguments: given }] });
      messages.push({ role: "tool", ago: ago - 0.1, toolName: name, text: JSON.stringify(result) });
    });
    messages.push({ role: "assistant", ago: begun - calls.length / 2 - 1, text: answer });
    return { key, source: "cli", title, endReason: "cli_close", messages };
  };
  const install: Call = [
    "terminal",
    { command: "npm ci" },
    { output: "npm ERR! lock file is out of date", exit_code: 1, error: null },
  ];
  const reset: Call = [
    "terminal",
    { command: "git checkout package-lock.json" },
    { output: "", exit_code: 0, error: null },
  ];
  const settings: Call = [
    "read_file",
    { path: "src/settings.ts" },
    { content: "export const timeout = 30;", total_lines: 1 },
  ];
  const away: Call = [
    "web_fetch",
    { url: "https://mirror.example.com/index" },
    { error: "Request timed out after 30s" },
  ];
  const fetched: Call = ["web_fetch", { url: "https://backup.example.com/index" }, { content: "three packages" }];
  const compare = (what: string): Call[] => [
    ["web_search", { query: what }, { results: [`docs.example.com/${what}`] }],
    ["web_fetch", { url: `https://docs.example.com/${what}` }, { content: `About ${what}` }],
    ["write_file", { path: `notes/${what}.md`, content: `# ${what}` }, { success: true }],
  ];
  return [
    session(
      "work1",
      "装依赖",
      "09:40",
      "装依赖，跑一遍测试",
      [install, install, install, reset],
      "锁文件还原后，测试都通过了。",
    ),
    session(
      "work2",
      "发布前检查",
      "11:10",
      "发布前检查一遍",
      [install, install, install, reset],
      "检查完成，没有问题。",
    ),
    session(
      "work3",
      "超时设置",
      "14:05",
      "看看超时设置在哪里",
      [settings, settings, settings, settings],
      "在 src/settings.ts 里，是 30 秒。",
    ),
    session(
      "work4",
      "资料：缓存",
      "15:20",
      "查一下缓存策略，写成笔记",
      compare("caching"),
      "笔记写好了，在 notes/caching.md。",
    ),
    session(
      "work5",
      "资料：限流",
      "16:10",
      "查一下限流做法，写成笔记",
      compare("throttling"),
      "笔记写好了，在 notes/throttling.md。",
    ),
    session(
      "work6",
      "资料：重试",
      "17:00",
      "查一下重试做法，写成笔记",
      compare("retries"),
      "笔记写好了，在 notes/retries.md。",
    ),
    session("work7", "镜像", "02:05", "列一下镜像的目录", [away, away, fetched], "目录列好了：三个包，都是最新的。"),
  ];
}
