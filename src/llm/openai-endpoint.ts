import { z } from "zod";

/** One model behind an OpenAI-compatible `POST <baseUrl>/chat/completions`. */
export interface EndpointConfig {
  /** Such as primary; stands in logs and costs. */
  name: string;
  /** Up to and including the version part: https://api.example.com/v1 */
  baseUrl: string;
  /** Local servers need none. */
  apiKey?: string | undefined;
  model: string;
}

export interface ChatTurn {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface Completion {
  text: string;
  model: string;
  inputTokens?: number;
  outputTokens?: number;
}

/** timeout, network, busy (429, 5xx): may pass by itself. refused (other 4xx): will not. malformed: answered, but not as the API does. */
export type EndpointFault = "timeout" | "network" | "busy" | "refused" | "malformed";

export class EndpointError extends Error {
  readonly fault: EndpointFault;
  /** What the server asks to wait, when it says so. */
  readonly retryAfterMs: number | undefined;

  constructor(
    fault: EndpointFault,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "EndpointError";
    this.fault = fault;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export interface Endpoint {
  readonly name: string;
  readonly model: string;
  /** One question, one try. @throws EndpointError */
  complete(turns: readonly ChatTurn[], limits: { maxTokens: number; timeoutMs: number }): Promise<Completion>;
}

/** A reply beyond this is not read: no schema of ours needs it, and a stream without end must not fill the memory. */
const REPLY_LIMIT_BYTES = 2_000_000;

const textPart = z.object({ type: z.string().optional(), text: z.string().optional() });
// Reasoning fields (reasoning, reasoning_content, thinking parts) are not named here, so they are never read as the answer.
const replySchema = z.object({
  model: z.string().optional(),
  choices: z
    .array(z.object({ message: z.object({ content: z.union([z.string(), z.array(textPart), z.null()]).optional() }) }))
    .min(1),
  usage: z
    .object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() })
    .nullish()
    .catch(undefined),
});

/** An endpoint over plain `fetch`: a time-out over the whole answer, a size limit, no redirect, no retry. */
export function createOpenAiEndpoint(config: EndpointConfig, call: typeof fetch = fetch): Endpoint {
  const url = `${config.baseUrl.replace(/\/+$/u, "")}/chat/completions`;
  // Newer models of one vendor refuse the field all others know; learned from their refusal once.
  let lengthField: "max_tokens" | "max_completion_tokens" = "max_tokens";
  return {
    name: config.name,
    model: config.model,
    async complete(turns, limits) {
      const signal = AbortSignal.timeout(limits.timeoutMs);
      const post = (): Promise<Response> =>
        call(url, {
          method: "POST",
          signal,
          // A redirect would carry the key to a host nobody configured.
          redirect: "error",
          headers: {
            "content-type": "application/json",
            accept: "application/json",
            ...(config.apiKey && { authorization: `Bearer ${config.apiKey}` }),
          },
          // No temperature: models that reason refuse any but their own.
          body: JSON.stringify({ model: config.model, messages: turns, [lengthField]: limits.maxTokens }),
        });
      try {
        let response = await post();
        let body = await readBody(response);
        if (response.status === 400 && lengthField === "max_tokens" && body.includes("max_completion_tokens")) {
          lengthField = "max_completion_tokens";
          response = await post();
          body = await readBody(response);
        }
        if (!response.ok) throw refusal(response, config.name);
        return parseReply(body, config);
      } catch (error) {
        if (error instanceof EndpointError) throw error;
        if (signal.aborted) {
          throw new EndpointError("timeout", `${config.name}: no answer within ${limits.timeoutMs} ms`, {
            cause: error,
          });
        }
        throw new EndpointError("network", `${config.name}: ${reasonOf(error)}`, { cause: error });
      }
    },
  };
}

async function readBody(response: Response): Promise<string> {
  if (!response.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > REPLY_LIMIT_BYTES)
      throw new EndpointError("malformed", `answer of more than ${REPLY_LIMIT_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The body of a refusal is left out: some servers repeat the key or the question in it. */
function refusal(response: Response, name: string): EndpointError {
  const busy = response.status === 429 || response.status >= 500 || response.status === 408;
  const seconds = Number(response.headers.get("retry-after"));
  return new EndpointError(busy ? "busy" : "refused", `${name}: HTTP ${response.status}`, {
    retryAfterMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined,
  });
}

function parseReply(body: string, config: EndpointConfig): Completion {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch (error) {
    throw new EndpointError("malformed", `${config.name}: the answer is not JSON`, { cause: error });
  }
  const parsed = replySchema.safeParse(json);
  if (!parsed.success) throw new EndpointError("malformed", `${config.name}: the answer is no chat completion`);
  const content = parsed.data.choices[0]?.message.content ?? "";
  const { prompt_tokens: input, completion_tokens: output } = parsed.data.usage ?? {};
  return {
    text: typeof content === "string" ? content : answerParts(content),
    model: parsed.data.model ?? config.model,
    ...(input != null && { inputTokens: input }),
    ...(output != null && { outputTokens: output }),
  };
}

/** Of an answer in parts only the parts that are text: thoughts come as parts of another type. */
function answerParts(parts: readonly z.infer<typeof textPart>[]): string {
  return parts
    .filter((part) => part.type === undefined || part.type === "text" || part.type === "output_text")
    .map((part) => part.text ?? "")
    .join("");
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
