import { EngineError } from "../engine/errors.ts";
import type {
  AgentTurns,
  CronList,
  HiddenQueues,
  History,
  HistoryCursor,
  MemoryStore,
  Preferences,
} from "../engine/ports.ts";

const nowhere: HistoryCursor = {};

/** The History of a machine without Hermes: empty, and it says so. */
export const noHistory: History = {
  head: async () => nowhere,
  cursorBefore: async () => nowhere,
  mayHaveNew: async () => false,
  readSince: async (cursor) => ({ messages: [], cursor, more: false }),
  readEarlier: async () => [],
  whereabouts: async (ids) => new Map(ids.map((id) => [id, "gone"])),
  session: async () => undefined,
  sessionsBegun: async function* () {
    yield* [];
  },
  directChats: async () => [],
  describe: async () => ({ kind: "none" }),
};

export const noCronList: CronList = { list: async () => [] };

export const noQueues: HiddenQueues = { read: async () => ({ waiting: [], unreadable: 0 }) };

export const noMemory: MemoryStore = { recall: async () => ({ state: "missing", memories: [] }) };

/** Nothing is written where there is no home to write to. */
export const noPreferences: Preferences = {
  read: async () => undefined,
  write: async () => {
    throw new EngineError("unavailable", { what: "hermes", why: "no_home" });
  },
};

/** Nobody to speak to: every turn is refused before it begins. */
export const noTurns: AgentTurns = {
  way: "none",
  abilities: () => ({ stop: false, steer: false, approvals: false, questions: false, commands: false, images: false }),
  run: async () => {
    throw new EngineError("unavailable", { what: "hermes", why: "not_connected" });
  },
  whatBecameOf: async () => "unknown",
  stop: async () => false,
  steer: async () => false,
  answer: async () => false,
  health: async () => ({ ok: false, why: "not_connected" }),
};
