import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ModelRequest {
  path: string;
  authorization: string | undefined;
  body: { model?: string; messages?: { role: string; content: string }[]; [field: string]: unknown };
}

/** How the stand-in answers: the reply's text, a whole answer, or something a broken server does. */
export type ModelAnswer =
  | string
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | { hang: true }
  | { reset: true };

export interface ModelServer {
  /** With the version part, as it is configured. */
  baseUrl: string;
  requests: ModelRequest[];
  /** Answers in order; the last one repeats. */
  script(...answers: ModelAnswer[]): void;
  close(): Promise<void>;
}

/** A model endpoint on loopback that speaks the OpenAI chat completion form over real HTTP. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  let answers: ModelAnswer[] = ["{}"];
  const server = createServer((request, response) => {
    void handle(request, response);
  });
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({
      path: request.url ?? "",
      authorization: request.headers.authorization,
      body: JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}") as ModelRequest["body"],
    });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined) return;
    if (typeof answer === "string") return send(response, 200, completion(answer));
    if ("hang" in answer) return;
    if ("reset" in answer) return void request.socket.destroy();
    send(response, answer.status, answer.body ?? { error: { message: "no" } }, answer.headers);
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    script: (...next) => {
      answers = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A chat completion with this text, as servers send it. */
export function completion(text: string, extra: Record<string, unknown> = {}): object {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    model: "stand-in-1",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: text, ...extra } }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  };
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
