import type { agent as zh } from "../zh/agent.ts";

/** The stand-in in the playground: every word it says. */
export const agent: typeof zh = {
  hello:
    "I am the playground's stand-in, not the real Hermes: I do not think, and I never really run a command. Things to try:",
  tries: [
    "**table**, **code**, **list**, **long**: how cards show them",
    "**search**: I pretend to use a tool",
    "**approval**: I ask you to approve a dangerous command",
    "**slowly**: I pause while I speak, so that you can press Stop",
    "**summary**: what we have said",
    "**fail**: this turn goes wrong",
  ],
  heard: (text) => `Got it: “${text}”`,
  pictures: (count) => `And ${count} ${count === 1 ? "picture" : "pictures"} (a stand-in cannot see).`,
  file: "The file arrived too (a stand-in opens none).",
  footer: "(said by the stand-in)",
  list: {
    intro: "A list:",
    items: [
      "Send the revised contract to legal",
      "Confirm the printing quote",
      "Hand in the weekly report by Friday",
      "Call Wang back",
    ],
  },
  table: {
    intro: "Three quotes side by side:",
    rows: [
      ["Supplier", "Price", "Delivery"],
      ["Qiming Print", "¥3.20", "5 days"],
      ["Orient Graphics", "¥2.95", "8 days"],
      ["Quick Press", "¥3.80", "2 days"],
    ],
    outro: "Orient Graphics is the cheapest, Quick Press the fastest.",
  },
  code: { intro: "A little code:", outro: "Run it with `node count.mjs report.txt`" },
  long: {
    intro: "Here is a longer answer, to see how long ones are split.",
    part: (n) =>
      `## Part ${n}\n\nThere is not much in this part; it is only long. When an answer is very long, the card is split where Markdown allows it, and tables and code stay whole. This is the end of part ${n}.`,
  },
  slow: {
    intro: "I will take my time; press Stop when you have had enough.",
    step: (n) => `Step ${n} …`,
    end: "That is all.",
  },
  search: {
    before: "Let me look that up.",
    query: "Spruce project payment terms",
    result: "2 documents found: Spruce contract v3, Payment terms compared",
    after: "Two documents: Spruce contract v3 and Payment terms compared. (Pretended; nothing was searched.)",
  },
  approval: {
    before: "This step empties the build folder and needs your approval.",
    command: "rm -rf ./build && npm run build",
    description: "recursive delete",
    allowed: (how) =>
      `You approved it (${how}), and it was “carried out”. Nothing was deleted really: I am a stand-in.`,
    denied: "You did not approve it, so the step was left out.",
    nobody: "Nobody can be asked for approval on this way in, so the step was left out.",
    choices: { once: "just this once", session: "for this session", always: "always", deny: "denied" },
  },
  question:
    "Over the API server Hermes cannot ask with a card, so I ask in words: would you like to see the table first, or the code?",
  summary: {
    intro: (count) => `You have said ${count} ${count === 1 ? "thing" : "things"} in this session:`,
    none: "You have not said anything else in this session yet.",
  },
  failure: "The stand-in failed because you asked for it",
  steered: (text) => `(You put in: “${text}”. Understood.)`,
  editorial: "A stand-in cannot judge reminders; please ask another editor.",
  goal: {
    steps: [
      "split the work into three parts and wrote them into plan.md",
      "followed plan.md through its second part and changed two files",
      "finished the last part and went over everything once more",
    ],
    files: ["plan.md", "draft.md", "result.md"],
    said: (n, step) => `Step ${n}: ${step}. (The stand-in did no real work; the real Hermes would be working here.)`,
    done: "all three parts are done, the result is in result.md",
    check: "The stand-in ran the check as asked.",
  },
};
