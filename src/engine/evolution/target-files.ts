/**
 * What this product may write of Hermes' home, and nothing else: a skill in its own folder, an entry of one of the two
 * memory files, PERFORMANCE.md. (The fourth target, the set of strategies, is in this product's own database.)
 */
export type FileTarget =
  | { kind: "skill"; name: string }
  | { kind: "memory"; file: "memory" | "user" }
  | { kind: "performance" };

/** A file, folder or link at a target. `path` is relative to it; "" is the target itself. */
export interface TargetEntry {
  path: string;
  type: "file" | "dir" | "link";
  /** permission bits */
  mode: number;
  /** of a file, base64 */
  bytes?: string;
  /** of a link: what it says, resolved by nobody */
  to?: string;
}

/** All that stands at a target, sorted by path; empty = nothing does. */
export type TargetState = readonly TargetEntry[];

/** A change that Hermes itself has put aside until somebody approves it. */
export interface PendingWrite {
  id: string;
  what: "memory" | "skills";
  /** in one line */
  about: string;
  at?: Date;
  /** when it is a memory entry that can be proposed as it stands */
  memory?: { file: "memory" | "user"; text: string };
}

/** How often a skill was used, as Hermes counts it. */
export interface SkillUse {
  uses: number;
  lastUsedAt?: Date;
}

/** Hermes' home as far as this product may change it. Reads are free; every write names what it expects to replace. */
export interface HermesFiles {
  /** False when there is no home to write to. */
  readonly writable: boolean;
  /** @throws EngineError unavailable (hermes) when the target cannot be read or is no such thing (a folder that is a link) */
  read(target: FileTarget): Promise<TargetState>;
  /**
   * Makes the target hold exactly `next`: all of it or nothing, also when the process dies in between.
   * @throws EngineError changed_since_seen when something else than `expectedHash` (see `hashState`) stands there now
   */
  write(target: FileTarget, next: TargetState, expectedHash: string): Promise<void>;
  /** Characters each memory file may hold. */
  memoryLimits(): Promise<{ memory: number; user: number }>;
  pendingWrites(): Promise<readonly PendingWrite[]>;
  /** By the skill's name; empty when Hermes counts nothing. */
  skillUse(): Promise<ReadonlyMap<string, SkillUse>>;
}
