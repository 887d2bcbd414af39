import { IANAZone } from "luxon";
import { z } from "zod";
import { recordAudit } from "./audit.ts";
import { type Db, inTransaction, isTransaction, readRows, type Tx } from "./db.ts";
import { EngineError } from "./errors.ts";
import { jsonColumn } from "./json-column.ts";
import { assertMay } from "./people/person.ts";
import type { Actor, Agent, Scope } from "./scope.ts";
import { sql } from "./sql.ts";

const wallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
/** A whole number, also written as text: forms and commands send text. */
const count = (least: number, most: number) =>
  z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.number().int().min(least).max(most));
/** Names in a row: a list, or text with commas or spaces between them. */
const names = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(/[\s,，、;；]+/u))])
  .transform((list) => [...new Set(list.map((name) => name.trim()).filter((name) => name !== ""))])
  .pipe(z.array(z.string().max(200)).max(200));
const instant = z.union([z.date(), z.iso.datetime({ offset: true }).transform((text) => new Date(text))]);

/** What a person writes for "not paused". */
const notPaused = z.enum(["false", "no", "off", "否", "不暂停"]).transform((): false => false);

/**
 * Every setting of an agent: what it may be, what it is unless said otherwise, and a value that would be taken, for
 * error lines. `group` is its page of the settings card, `choices` the words it takes when these are all. What each is called
 * and does stands in the texts under `settings`, what it takes under `error.expected` as `settings.<name>`. Numbers carry
 * their unit in the name.
 */
export const settingsTable = {
  /** Minutes between two looks at the history. */
  tickMinutes: { group: "reminders", schema: count(1, 240), default: 15, example: "15" },
  /** First minute of the day in which Herald may speak up; with activeUntil, may reach over midnight. */
  activeFrom: { group: "reminders", schema: wallTime, default: "09:00", example: "09:00" },
  /** First minute in which it may no longer. Equal to activeFrom: always. */
  activeUntil: { group: "reminders", schema: wallTime, default: "21:30", example: "21:30" },
  /** Reminders a day at most; 0 = none but those whose time a person named. */
  dailyMessages: { group: "reminders", schema: count(0, 50), default: 5, example: "5" },
  minimumGapMinutes: { group: "reminders", schema: count(0, 1440), default: 60, example: "60" },
  /** The same matter is not brought up again before. */
  coolDownHours: { group: "reminders", schema: count(1, 720), default: 20, example: "20" },
  /** Reminders without a reaction after which a matter is no longer brought up. */
  stopAfterIgnored: { group: "reminders", schema: count(1, 20), default: 3, example: "3" },
  /** More matters than this are folded. */
  mattersPerCard: { group: "reminders", schema: count(1, 10), default: 5, example: "5" },
  /** How long a decision can be taken back. */
  undoMinutes: { group: "reminders", schema: count(1, 1440), default: 10, example: "10" },
  /** A chat counts as active until the person has been silent this long. */
  idleMinutes: { group: "reminders", schema: count(0, 120), default: 5, example: "5" },
  /** How long the documents of a run are kept. */
  documentDays: { group: "reading", schema: count(1, 365), default: 30, example: "30" },
  /** Who judges and words a reminder: auto tries the main agent, then a model, then code; model leaves the agent alone. */
  editor: {
    group: "reminders",
    choices: ["auto", "model", "code"],
    schema: z.enum(["auto", "model", "code"]),
    default: "auto",
    example: "auto",
  },
  /** How long the main agent's decision is waited for. */
  editorSeconds: { group: "reminders", schema: count(20, 600), default: 120, example: "120" },
  /** Hermes says what it is about to do before long work in a chat. */
  announceWork: {
    group: "chat",
    choices: ["true", "false"],
    schema: z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]),
    default: true,
    example: "true",
  },
  /** Turns Hermes may work on a goal before a person is asked. */
  goalTurns: { group: "chat", schema: count(1, 200), default: 20, example: "20" },
  /** Whether a group has one conversation with Hermes, or each of its people an own one. */
  groupSessions: {
    group: "chat",
    choices: ["chat", "person"],
    schema: z.enum(["chat", "person"]),
    default: "chat",
    example: "chat",
  },
  /** What becomes of a message that comes while Hermes works: it waits, is put into the work, or ends it. */
  whileRunning: {
    group: "chat",
    choices: ["queue", "steer", "interrupt"],
    schema: z.enum(["queue", "steer", "interrupt"]),
    default: "queue",
    example: "queue",
  },
  /** The reply's card shows which tools are used. */
  toolActivity: {
    group: "chat",
    choices: ["true", "false"],
    schema: z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]),
    default: false,
    example: "false",
  },
  /** The least role that may let Hermes run a command it asks about. */
  approvers: {
    group: "chat",
    choices: ["admin", "owner"],
    schema: z.enum(["admin", "owner"]),
    default: "admin",
    example: "admin",
  },
  /** How long files that people sent are kept for Hermes. */
  inboxFileDays: { group: "chat", schema: count(1, 365), default: 14, example: "14" },
  language: {
    group: "general",
    choices: ["zh", "en"],
    schema: z.enum(["zh", "en"]),
    default: (agent: Agent) => agent.language,
    example: "zh",
  },
  /** IANA name. */
  zone: {
    group: "general",
    schema: z.string().refine((name) => IANAZone.isValidZone(name)),
    default: (agent: Agent) => agent.zone,
    example: "Asia/Shanghai",
  },
  /** Quiet until this instant, or not paused at all. */
  paused: {
    group: "reminders",
    schema: z.union([z.literal(false), notPaused, instant]),
    default: false,
    example: "2027-01-05T09:00:00Z",
  },
  /** Sessions, chats (their ids) and sources (their names) in Hermes' history that are not read at all. */
  exclude: {
    group: "reading",
    schema: names,
    default: (agent: Agent): readonly string[] => agent.exclude ?? [],
    example: "oc_1234, telegram",
  },
  /** When the night's look back at the day before begins. */
  dreamAt: { group: "evolution", schema: wallTime, default: "01:00", example: "01:00" },
  /** When the report comes. */
  reportAt: { group: "evolution", schema: wallTime, default: "19:00", example: "19:00" },
  /** A day without sessions and without open proposals: a short card, or none. */
  emptyDayReport: {
    group: "evolution",
    choices: ["none", "short"],
    schema: z.enum(["none", "short"]),
    default: "none",
    example: "none",
  },
  conversationChars: { group: "reading", schema: count(2_000, 200_000), default: 24_000, example: "24000" },
  earlierChars: { group: "reading", schema: count(0, 100_000), default: 12_000, example: "12000" },
  messageChars: { group: "reading", schema: count(100, 20_000), default: 1_500, example: "1500" },
} as const;

/** The pages of the settings card, in its order. */
export const settingGroups = ["reminders", "general", "chat", "evolution", "reading"] as const;
export type SettingGroup = (typeof settingGroups)[number];

export type SettingName = keyof typeof settingsTable;
export type Settings = { [N in SettingName]: z.infer<(typeof settingsTable)[N]["schema"]> };
export const settingNames = Object.keys(settingsTable) as SettingName[];

/** What a transaction has read once it need not read again. Outside of one, every call reads. */
const readInTransaction = new WeakMap<Db, Map<string, Promise<Settings>>>();

/**
 * The agent's settings: its own values over the defaults. A stored value that no longer fits counts as not set. Read once
 * per transaction.
 */
export async function readSettings(scope: Scope): Promise<Settings> {
  if (!isTransaction(scope.db)) return read(scope);
  const known = readInTransaction.get(scope.db) ?? new Map<string, Promise<Settings>>();
  readInTransaction.set(scope.db, known);
  const settings = known.get(scope.agent.id) ?? read(scope);
  known.set(scope.agent.id, settings);
  return settings;
}

/**
 * Sets one or several settings at once (quiet hours are two); `null` returns one to its default. Everything is checked
 * before anything is written.
 * @returns what really changed, from what to what; empty when all of it was so already
 * @throws EngineError forbidden · invalid_input (path = the setting's name)
 */
export async function changeSettings(
  scope: Scope,
  who: Actor,
  values: Readonly<Partial<Record<SettingName, unknown>>>,
): Promise<{ changed: { name: SettingName; before: unknown; after: unknown }[]; settings: Settings }> {
  assertMay(who, "settings.change");
  return inTransaction(scope.db, async (tx) => {
    const inside = { ...scope, db: tx };
    const before = await readSettings(inside);
    const changed: { name: SettingName; before: unknown; after: unknown }[] = [];
    for (const [name, value] of Object.entries(values)) {
      if (!isSettingName(name)) {
        throw new EngineError("invalid_input", {
          path: name,
          expected: "settings.name",
          example: settingNames[0] ?? "",
        });
      }
      const after = value === null ? defaultSetting(name, scope.agent) : parseSetting(name, value);
      // Who may approve commands is not for those whom it may leave out.
      if (name === "approvers" && !same(before[name], after)) assertMay(who, "approvers.change");
      if (!same(before[name], after)) changed.push({ name, before: before[name], after });
      else if (value !== null) continue;
      await store(tx, scope, who, name, value === null ? null : after);
    }
    readInTransaction.delete(tx);
    for (const change of changed) {
      await recordAudit(tx, scope, {
        who,
        what: "settings.change",
        subject: { kind: "setting", id: change.name },
        before: { value: change.before },
        after: { value: change.after },
      });
    }
    return { changed, settings: await readSettings(inside) };
  });
}

/** The settings of one page, in the order of the table. */
export function settingsOf(group: SettingGroup): SettingName[] {
  return settingNames.filter((name) => settingsTable[name].group === group);
}

/** The words a setting takes when these are all; undefined for numbers, times and free text. */
export function choicesOf(name: SettingName): readonly string[] | undefined {
  const entry = settingsTable[name];
  return "choices" in entry ? entry.choices : undefined;
}

/** A value as a person would write it, and as `parseSetting` reads it back. */
export function writtenSetting(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** True when a word is the name of a setting. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingsTable, name);
}

/** @throws EngineError invalid_input with what was expected (`settings.<name>` in the texts) and an example */
export function parseSetting<N extends SettingName>(name: N, value: unknown): Settings[N] {
  const { schema, example } = settingsTable[name];
  const parsed = schema.safeParse(typeof value === "string" ? value.trim() : value);
  if (!parsed.success) {
    const blank = value === undefined || value === null || value === "";
    throw new EngineError("invalid_input", {
      path: name,
      expected: `settings.${name}`,
      ...(!blank && { given: String(value).slice(0, 80) }),
      example,
    });
  }
  return parsed.data as Settings[N];
}

async function read(scope: Scope): Promise<Settings> {
  const rows = await readRows<{ name: string; value: unknown }>(
    scope.db,
    sql`SELECT "name", "value" FROM "Setting" WHERE "agentId" = ${scope.agent.id}`,
  );
  const settings: Record<string, unknown> = Object.fromEntries(
    settingNames.map((name) => [name, defaultSetting(name, scope.agent)]),
  );
  for (const { name, value } of rows) {
    if (!isSettingName(name)) continue;
    const parsed = settingsTable[name].schema.safeParse(value);
    if (parsed.success) settings[name] = parsed.data;
    else scope.log.warn("settings.unreadable", { name });
  }
  return settings as Settings;
}

async function store(tx: Tx, scope: Scope, who: Actor, name: SettingName, value: unknown): Promise<void> {
  if (value === null) {
    await tx.setting.deleteMany({ where: { agentId: scope.agent.id, name } });
    return;
  }
  const data = { value: jsonColumn(value as string), updatedAt: scope.clock.now(), updatedBy: byWhom(who) };
  await tx.setting.upsert({
    where: { agentId_name: { agentId: scope.agent.id, name } },
    update: data,
    create: { agentId: scope.agent.id, name, ...data },
  });
}

function byWhom(who: Actor): string {
  return who.kind === "person" ? who.openId : who.kind === "agent" ? who.onWordsOf.openId : who.kind;
}

/** What a setting is while nobody has said otherwise. */
export function defaultSetting(name: SettingName, agent: Agent): unknown {
  const value = settingsTable[name].default;
  return typeof value === "function" ? value(agent) : value;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
