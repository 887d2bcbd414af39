import type { Db } from "./db.ts";
import type { HermesFiles } from "./evolution/target-files.ts";
import type {
  AgentTurns,
  Clock,
  CronList,
  HermesGoals,
  HiddenQueues,
  History,
  Ids,
  Llm,
  Log,
  MemoryStore,
  Preferences,
  Random,
} from "./ports.ts";

export type Language = "zh" | "en";

/** The Hermes agent an operation is about. Its id stands in every where-clause. */
export interface Agent {
  id: string;
  /** IANA name; the default zone of its people */
  zone: string;
  language: Language;
  /** what is kept out of reading unless a setting says otherwise: ids of sessions and chats, names of sources */
  exclude?: readonly string[];
}

/** One agent, the world as the engine may ask for it, and the database (or the transaction one is in). Passed first everywhere. */
export interface Scope {
  agent: Agent;
  db: Db;
  clock: Clock;
  ids: Ids;
  random: Random;
  log: Log;
  llm: Llm;
  /** who judges goals, when that is another model than `llm` */
  judge?: Llm;
  history: History;
  turns: AgentTurns;
  /** goals Hermes runs by itself; undefined where its store cannot be read */
  hermesGoals?: HermesGoals;
  crons: CronList;
  memory: MemoryStore;
  queues: HiddenQueues;
  preferences: Preferences;
  files: HermesFiles;
}

export type Role = "owner" | "admin" | "member";

/** A person as the event names them: never taken from a card or a message. */
export interface PersonActor {
  kind: "person";
  openId: string;
  role: Role;
  name?: string;
}

/** Who acts. `agent` is Hermes acting on a person's words; `worker` a model or the rules; `job` a background job. */
export type Actor =
  | PersonActor
  | { kind: "agent"; onWordsOf: PersonActor }
  | { kind: "worker"; runId: string }
  | { kind: "job"; name: string };
