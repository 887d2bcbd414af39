/** How the way to the platform stands, for /readyz, /status and the doctor. */
export interface ConnectionState {
  ok: boolean;
  /** when it was last known to work, as an instant of the process' clock */
  lastSuccessAt: Date | undefined;
  why: string | undefined;
}
