import { header, line, literal, markdown, note, row, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Card, Element, TextColor } from "./card.ts";
import { escapeMarkdown } from "./escape.ts";
import { type Block, fitCard } from "./fit-card.ts";
import type { Look, Write } from "./look.ts";
import { usageLine } from "./run-card.ts";
import { type RunRowView, runRow } from "./run-list-card.ts";
import { wordFor } from "./word-for.ts";

/** One thing the server depends on. */
export type HealthRowView = {
  /** Key such as feishu, history, model, database; shown in words, an unknown one as it is. */
  readonly name: string;
  /** down is red and counts as trouble; waiting (not asked yet) and off (not set up) do not. */
  readonly state: "ok" | "down" | "waiting" | "off";
  readonly lastSuccessAt?: Date;
  /** What is wrong or in use, one line. Untrusted. */
  readonly detail?: string;
};

export type JobRowView = {
  readonly name: string;
  /** done · no_op · failed · running · never · late (its turn came and went) */
  readonly outcome: string;
  readonly at?: Date;
  readonly nextAt?: Date;
  readonly error?: string;
};

export type StatusView = {
  readonly health: readonly HealthRowView[];
  readonly jobs: readonly JobRowView[];
  readonly runs: readonly RunRowView[];
  /** Today's questions to models. */
  readonly usage: { readonly calls: number; readonly inputTokens: number; readonly outputTokens: number };
  readonly paused: boolean;
  /** When the pause ends by itself; undefined when only /unpause ends it. */
  readonly pausedUntil?: Date;
  /** Such as 21:30–09:00. */
  readonly quiet?: string;
  readonly remindersToday?: { readonly sent: number; readonly limit: number };
  /** Our version. */
  readonly version?: string;
};

const COLORS: Readonly<Record<HealthRowView["state"], TextColor>> = {
  ok: "green",
  down: "red",
  waiting: "orange",
  off: "grey",
};

/** Health with the age of the last success, jobs, last runs, costs; red as soon as something is down. */
export function statusCard(view: StatusView, look: Look): Card {
  const trouble =
    view.health.filter((row) => row.state === "down").length + view.jobs.filter((job) => isTrouble(job)).length;
  const title: Write = (t) => (trouble > 0 ? t.card.status.title.trouble(trouble) : t.card.status.title.ok);
  const blocks: Block[] = [{ stands: 0, elements: [...attention(view, look), ...healthElements(view, look)] }];
  if (view.jobs.length > 0) {
    blocks.push({
      stands: 0,
      elements: [
        line(),
        section(look, (t) => t.card.status.jobs),
        ...view.jobs.flatMap((job) => jobElements(job, look)),
      ],
    });
  }
  blocks.push({
    stands: 0,
    elements: [
      line(),
      section(look, (t) => t.card.status.costs),
      note(look, (t, f) => (view.usage.calls > 0 ? usageLine(view.usage)(t, f) : t.card.status.noCosts)),
    ],
  });
  if (view.runs.length > 0) {
    blocks.push({ stands: 0, elements: [line(), section(look, (t) => t.card.status.runs)] });
    for (const run of view.runs) blocks.push({ stands: 1, elements: [runRow(run, look)] });
  }
  blocks.push({
    stands: 0,
    elements: [
      line(),
      row([
        actionButton("status.refresh", {}, look, { label: (t) => t.card.common.refresh }),
        actionButton("tick.run", {}, look, { label: (t) => t.card.status.tickNow }),
        actionButton("run.list", { page: 1 }, look, { label: (t) => t.card.run.listTitle, style: "text" }),
      ]),
      note(look, (t, f) => {
        const asOf = t.card.status.asOf(f.moment(look.now));
        return view.version ? `${asOf} · Herald ${view.version}` : asOf;
      }),
    ],
  });
  return fitCard(look, {
    header: header(look, trouble > 0 ? "red" : "green", title),
    summary: title,
    blocks,
  });
}

/** A job that failed, or did not come when it was due. */
const isTrouble = ({ outcome }: JobRowView): boolean => outcome === "failed" || outcome === "late";

const section = (look: Look, title: Write): Element => words(look, title, { size: "heading" });

function attention(view: StatusView, look: Look): Element[] {
  const { quiet, remindersToday, pausedUntil: until } = view;
  const facts: Write[] = [];
  if (remindersToday) facts.push((t) => t.card.status.today(remindersToday.sent, remindersToday.limit));
  if (quiet) facts.push((t) => t.card.status.quiet(quiet));
  return [
    ...(view.paused
      ? [words(look, (t, f) => t.card.status.paused(until === undefined ? "" : f.moment(until)), { color: "orange" })]
      : []),
    ...(facts.length > 0 ? [note(look, (t, f) => facts.map((write) => write(t, f)).join(" · "))] : []),
  ];
}

function healthElements(view: StatusView, look: Look): Element[] {
  const rows = view.health.flatMap((health): Element[] => {
    const { lastSuccessAt, state } = health;
    const write: Write = (t, f) => {
      const name = wordFor(t.card.status.names, health.name);
      const said = t.card.status.states[state];
      if (state === "off") return t.card.status.rowAlone(name, said);
      if (!lastSuccessAt) return t.card.status.row(name, said, t.card.status.neverSucceeded);
      // What answered while the card was being read lies a moment ahead of it.
      const age = f.fromNow(new Date(Math.min(lastSuccessAt.getTime(), look.now.getTime())));
      return t.card.status.row(name, said, state === "ok" ? age : t.card.status.lastSuccess(age));
    };
    const dot = `<font color='${COLORS[state]}'>●</font>`;
    return [markdown(look, (t, f) => `${dot} ${escapeMarkdown(write(t, f))}`), ...detailOf(health, look)];
  });
  return [section(look, (t) => t.card.status.health), ...rows];
}

function jobElements(job: JobRowView, look: Look): Element[] {
  const write: Write = (t, f) => {
    const outcome = wordFor(t.card.status.jobOutcomes, job.outcome);
    const name = wordFor(t.card.status.jobNames, job.name);
    const said = job.at ? t.card.status.job(name, outcome, f.fromNow(job.at)) : `${name} · ${outcome}`;
    return job.nextAt ? t.card.status.jobNext(said, f.fromNow(job.nextAt)) : said;
  };
  const color: TextColor = isTrouble(job) ? "red" : "grey";
  return [note(look, write, { color }), ...detail(job.error)];
}

/** Why Hermes is not used has words of its own; what others say is shown as they said it. */
function detailOf({ name, detail: said }: HealthRowView, look: Look): Element[] {
  if (name !== "hermes" || said === undefined) return detail(said);
  return [
    note(
      look,
      (t) =>
        said
          .split(" · ")
          .map((part) => wordFor({ ...t.error.hermesWhy, ...t.card.status.ways }, part))
          .join(" · "),
      { color: "grey" },
    ),
  ];
}

function detail(text: string | undefined): Element[] {
  return text ? [literal(text, { maxChars: 200, size: "notation", color: "grey", lines: 2 })] : [];
}
