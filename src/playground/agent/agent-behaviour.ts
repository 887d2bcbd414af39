/**
 * What differs between versions of Hermes' API server and between good and bad days. All of it may be changed while the
 * server runs.
 */
export type AgentBehaviour = {
  /**
   * 0.16: runs load no history, know no idempotency and no steering, are forgotten after `sweepMs`, and their approvals
   * have no names; a turn streamed by its session cannot be stopped. current: all of that is mended.
   */
  generation: "0.16" | "current";
  /** every request passes without a key, as with some versions of the HTTP library */
  open: boolean;
  /** `/v1/capabilities` names no runs, or does not exist */
  capabilities: "all" | "without_runs" | "none";
  /** age at which 0.16 forgets a run */
  sweepMs: number;
  /** pause after each word */
  wordMs: number;
  /** between keepalives of a silent stream */
  keepaliveMs: number;
  /** streams are written in pieces of so many bytes; 0 writes each event whole */
  pieceBytes: number;
  /** events nobody has heard of are mixed in */
  oddEvents: boolean;
  /** the conversation is compressed after the turn: the session gets a new id */
  compressAfterTurn: boolean;
  /** the connection breaks after so many events of a stream; the turn itself goes on */
  breakAfterEvents: number | undefined;
  /** the request that begins a turn is carried out, and its answer is lost */
  loseStartAnswers: number;
  /** runs at once */
  mostRuns: number;
};

export const STEADY: AgentBehaviour = {
  generation: "current",
  open: false,
  capabilities: "all",
  sweepMs: 300_000,
  wordMs: 0,
  keepaliveMs: 30_000,
  pieceBytes: 0,
  oddEvents: false,
  compressAfterTurn: false,
  breakAfterEvents: undefined,
  loseStartAnswers: 0,
  mostRuns: 10,
};
