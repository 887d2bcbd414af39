/** One call of the platform's HTTP API, as the client makes it. */
export interface Call {
  method: "GET" | "POST" | "PATCH" | "PUT";
  name: string;
  path: string;
  params?: Record<string, string>;
  data?: Record<string, unknown>;
  /** the call may be made again although an earlier one may have worked: it has a uuid, or the same again changes nothing */
  repeatable: boolean;
  paceKey: string;
  /** `data` goes out as a multipart form */
  form?: true;
  /** the answer is a file: `perform` resolves to `{ data: Readable, headers }` */
  file?: true;
}

/** Makes a call with pacing, retries and a fresh token. Resolves to the platform's body. @throws LarkError */
export type Perform = (call: Call) => Promise<unknown>;
