import { agent as en } from "../../text/en/agent.ts";
import { agent as zh } from "../../text/zh/agent.ts";
import type { Decision, Mind, MindTurn, Thought } from "./agent-mind.ts";

type Words = typeof zh;
type Act = (t: Words, turn: MindTurn) => AsyncGenerator<Thought, void, Decision | undefined>;

/** How Herald's own turns begin. */
const OWN_TURNS = [
  ["[Herald editorial turn]", "editorial"],
  ["[Herald goal turn]", "goal"],
] as const;

const LONG_PARTS = 12;
const SLOW_STEPS = 20;
const SLOW_PAUSE_MS = 700;
const SUMMARY_LINES = 12;
const QUOTED_CHARS = 80;

const COUNT_WORDS = `import { readFileSync } from "node:fs";

const text = readFileSync(process.argv[2], "utf8");
const words = text.split(/\\s+/).filter(Boolean);
console.log(\`\${words.length} words\`);`;

/** What it does by a word of the message; the first that fits. */
const ACTS: readonly (readonly [RegExp, Act])[] = [
  [/审批|危险|approv|dangerous/i, askApproval],
  [/失败|出错|\bfail/i, (t) => one({ fail: t.failure })],
  [/慢|slow/i, slowly],
  [/搜索|查一下|search|look up/i, search],
  [/表格|\btable/i, (t) => one({ say: `${t.table.intro}\n\n${markdownTable(t.table.rows)}\n\n${t.table.outro}` })],
  [/代码|\bcode/i, (t) => one({ say: `${t.code.intro}\n\n\`\`\`js\n${COUNT_WORDS}\n\`\`\`\n\n${t.code.outro}` })],
  [
    /清单|列表|\blist/i,
    (t) => one({ say: `${t.list.intro}\n\n${t.list.items.map((item) => `- ${item}`).join("\n")}` }),
  ],
  [/长文|长一点|\blong/i, (t) => one({ say: [t.long.intro, ...parts(t)].join("\n\n") })],
  [/总结|说过什么|summar/i, summary],
  [/提问|问我|clarify|ask me/i, (t) => one({ say: t.question })],
];

/** Thinks nothing, but does what a chat is to be tried with; says in every reply that it is a stand-in. */
export const standInMind: Mind = async function* (turn) {
  const t = /\p{Script=Han}/u.test(turn.text) ? zh : en;
  const own = OWN_TURNS.find(([mark]) => turn.text.startsWith(mark));
  if (own?.[1] === "editorial") {
    yield { say: t.editorial };
    return;
  }
  if (own) {
    yield* workOnGoal(t, turn);
    return;
  }
  // Only the words themselves choose; a file may be called anything.
  const [words = ""] = turn.text.split("\n\n[Attached file");
  const act = ACTS.find(([pattern]) => pattern.test(words))?.[1] ?? echo;
  yield* act(t, turn);
  yield { say: `\n\n${t.footer}` };
};

const DONE_MARK = "[GOAL: DONE]";

/** A goal in three turns, as an agent would go about it: a tool each, and the mark it was asked for at the end. */
async function* workOnGoal(t: Words, turn: MindTurn): AsyncGenerator<Thought, void, Decision | undefined> {
  if (turn.text.includes("CHECK_EXIT=0")) {
    yield { tool: "terminal", preview: shortened(turn.text.split("\n")[4] ?? ""), ms: 900, result: "exit 0" };
    yield { say: `${t.goal.check}\n\nCHECK_EXIT=0` };
    return;
  }
  const before = turn.history.filter(({ role, content }) => role === "user" && content.startsWith(OWN_TURNS[1][0]));
  const n = Math.min(before.length, t.goal.steps.length - 1);
  yield { tool: "write_file", preview: t.goal.files[n] ?? "", ms: 1_500, result: "ok" };
  yield { say: t.goal.said(n + 1, t.goal.steps[n] ?? "") };
  if (n === t.goal.steps.length - 1) yield { say: `\n\n${DONE_MARK} ${t.goal.done}` };
}

async function* one(thought: Thought): AsyncGenerator<Thought, void, Decision | undefined> {
  yield thought;
}

async function* echo(t: Words, turn: MindTurn): AsyncGenerator<Thought, void, Decision | undefined> {
  const [words = "", file] = turn.text.split("\n\n[Attached file");
  const lines = [words === "[image]" || words === "" ? "" : t.heard(shortened(words))];
  if (turn.images > 0) lines.push(t.pictures(turn.images));
  if (file !== undefined) lines.push(t.file);
  yield { say: lines.filter((line) => line !== "").join("\n\n") };
  if (turn.history.length === 0) yield { say: `\n\n${t.hello}\n\n${t.tries.map((line) => `- ${line}`).join("\n")}` };
}

async function* askApproval(t: Words): AsyncGenerator<Thought, void, Decision | undefined> {
  yield { say: t.approval.before };
  const decision = yield { ask: t.approval.command, description: t.approval.description };
  if (decision === undefined) yield { say: `\n\n${t.approval.nobody}` };
  else if (decision === "deny") yield { say: `\n\n${t.approval.denied}` };
  else {
    yield { tool: "terminal", preview: t.approval.command, ms: 600, result: "(stand-in: nothing was run)" };
    yield { say: t.approval.allowed(t.approval.choices[decision]) };
  }
}

async function* slowly(t: Words, turn: MindTurn): AsyncGenerator<Thought, void, Decision | undefined> {
  yield { say: t.slow.intro };
  for (let n = 1; n <= SLOW_STEPS; n++) {
    yield { pause: SLOW_PAUSE_MS };
    yield { say: `\n\n${t.slow.step(n)}` };
    for (const word of turn.steered()) yield { say: `\n\n${t.steered(shortened(word))}` };
  }
  yield { say: `\n\n${t.slow.end}` };
}

async function* search(t: Words): AsyncGenerator<Thought, void, Decision | undefined> {
  yield { say: t.search.before };
  yield { tool: "web_search", preview: t.search.query, ms: 1_200, result: t.search.result };
  yield { say: t.search.after };
}

async function* summary(t: Words, turn: MindTurn): AsyncGenerator<Thought, void, Decision | undefined> {
  const said = turn.history.filter(({ role }) => role === "user").map(({ content }) => shortened(content));
  if (said.length === 0) {
    yield { say: t.summary.none };
    return;
  }
  const lines = said.slice(-SUMMARY_LINES).map((line, index) => `${index + 1}. ${line}`);
  yield { say: `${t.summary.intro(said.length)}\n\n${lines.join("\n")}` };
}

function parts(t: Words): string[] {
  return Array.from({ length: LONG_PARTS }, (_, index) => t.long.part(index + 1));
}

function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function shortened(text: string): string {
  const line = [...text.replace(/\s+/g, " ").trim()];
  return line.length <= QUOTED_CHARS ? line.join("") : `${line.slice(0, QUOTED_CHARS).join("")}…`;
}
