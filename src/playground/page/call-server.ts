import type { PageError, PlaygroundState } from "../page-api.ts";
import { asObject, asString } from "./read-json.ts";

/** The server refused a call, or could not be reached (`status` 0). `message` is one line for a person, or empty. */
export class CallError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "CallError";
    this.status = status;
  }
}

const BASE = "/playground/api";

/** @throws CallError */
export function readState(): Promise<PlaygroundState> {
  return call<PlaygroundState>("GET", "/state");
}

/** What the inspector asks for, for example `runs` or `run?id=…`. @throws CallError */
export async function inspect(what: string): Promise<unknown> {
  const answer = await call<unknown>("GET", `/inspect/${what}`);
  const object = asObject(answer);
  return object && "data" in object ? object.data : answer;
}

/** @throws CallError */
export function post<Answer>(path: string, body: object): Promise<Answer> {
  return call<Answer>("POST", path, body);
}

async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`${BASE}${path}`, {
      method,
      cache: "no-store",
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new CallError(0, "");
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as Answer;
  const error = asObject(answer as PageError)?.error;
  throw new CallError(response.status, asString(asObject(error)?.message) ?? "");
}
