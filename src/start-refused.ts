/** Herald cannot start for a reason that the person at the terminal can mend: one line says it, without a trace. */
export class StartRefused extends Error {
  /** 2: a setting must change first. 1: trying again later may help. */
  readonly exitCode: 1 | 2;

  constructor(line: string, exitCode: 1 | 2) {
    super(line);
    this.name = "StartRefused";
    this.exitCode = exitCode;
  }
}
