/** A session as Hermes' API server tells it; times in seconds. Further fields of the real one pass through. */
export type AgentSession = {
  id: string;
  source: string;
  user_id: string | null;
  model: string | null;
  title: string | null;
  started_at: number;
  ended_at: number | null;
  end_reason: string | null;
  parent_session_id: string | null;
  message_count: number;
  last_active: number;
  preview: string;
  /** first session of its chain of compressions */
  _lineage_root_id?: string;
};

/** A message as Hermes' API server tells it. */
export type AgentRow = {
  id: number;
  session_id: string;
  role: string;
  content: unknown;
  tool_call_id: string | null;
  tool_calls: unknown;
  tool_name: string | null;
  timestamp: number;
  token_count: number | null;
  finish_reason: string | null;
};

export type NewAgentRow = { role: string; content: string | null } & Partial<
  Pick<AgentRow, "tool_call_id" | "tool_calls" | "tool_name" | "finish_reason">
>;

/** Where the stand-in keeps its conversations: lent by the server around the playground. */
export type AgentStore = {
  /** Newest activity first, one entry for each chain of compressions, as its newest session. */
  sessions(query: { limit: number; offset: number; source?: string; includeChildren: boolean }): {
    sessions: AgentSession[];
    more: boolean;
  };
  session(id: string): AgentSession | undefined;
  /** False when there is one of this id. */
  create(session: { id: string; title?: string; atSeconds: number }): boolean;
  /** Visible rows of the newest session of the chain. */
  messages(sessionId: string): { sessionId: string; rows: AgentRow[] };
  append(sessionId: string, row: NewAgentRow, atSeconds: number): number;
  /** Compresses the conversation into a new session and ends the old one; returns the new id. */
  compress(sessionId: string, atSeconds: number): string;
};
