/** A call the bridge itself refuses: one English sentence for the model, and the HTTP status that goes with it. */
export class ToolRefused extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.name = "ToolRefused";
    this.status = status;
  }
}
