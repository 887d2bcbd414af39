/** What one platform call answers. A `Buffer` body is sent as it is, anything else as JSON. */
export type ApiAnswer = { status: number; body: unknown; headers?: Record<string, string> };

/** The platform's form of success. */
export function ok(data: unknown = {}): ApiAnswer {
  return { status: 200, body: { code: 0, msg: "success", data } };
}

/**
 * A refusal in the platform's form: HTTP status, code, message. Message errors come as HTTP 400, limits at the gateway
 * as 429.
 */
export class Refusal extends Error {
  readonly code: number;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(code: number, msg: string, status = 400, headers: Record<string, string> = {}) {
    super(msg);
    this.name = "Refusal";
    this.code = code;
    this.status = status;
    this.headers = headers;
  }

  toAnswer(): ApiAnswer {
    const body = { code: this.code, msg: this.message, error: { log_id: "" } };
    return { status: this.status, body, headers: this.headers };
  }
}

/** Card refused: the sub code goes into the message, as the platform writes it. */
export function cardRefusal(subCode: number, detail: string, path = "ROOT"): Refusal {
  return new Refusal(
    230099,
    `Failed to create card content, ext=ErrCode: ${subCode}; ErrMsg: ${detail}; ErrPath: ${path}; `,
  );
}
