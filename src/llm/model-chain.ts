import { type Llm, LlmError, type Question, type Reply } from "../engine/ports.ts";
import { Breaker } from "./breaker.ts";
import { extractJson } from "./extract-json.ts";
import { type ChatTurn, type Completion, type Endpoint, EndpointError } from "./openai-endpoint.ts";

/** What one question to one endpoint cost and how it went. */
export interface CallRecord {
  purpose: string;
  model: string;
  endpoint: string;
  durationMs: number;
  outcome: "ok" | "transport" | "unreadable" | "refused";
  inputTokens?: number;
  outputTokens?: number;
  runId?: string;
}

export interface ChainOptions {
  /** In the order in which they are tried: primary, fallback. */
  endpoints: readonly Endpoint[];
  /** Where calls are accounted. Its own failure never fails the question. */
  record?: (call: CallRecord) => Promise<void>;
  /** Milliseconds of a clock that does not go back, for durations and rests: not the wall clock. */
  elapsedMs?: () => number;
}

/** The longest part of an unreadable reply that is shown to the model again. */
const SHOWN_REPLY_CHARS = 4_000;

/**
 * The engine's `Llm`: the first endpoint that answers. An endpoint that cannot be reached gives way to the next at once (no
 * second try: the next tick is one). A reply that does not fit the schema is asked for once more with the error, of the
 * same endpoint; if that does not fit either, the question has failed.
 */
export function createModelChain({ endpoints, record, elapsedMs = () => performance.now() }: ChainOptions): Llm {
  const chain = endpoints.map((endpoint) => ({ endpoint, breaker: new Breaker() }));

  async function complete(
    link: (typeof chain)[number],
    question: Question<unknown>,
    turns: readonly ChatTurn[],
  ): Promise<Completion & { account: (outcome: CallRecord["outcome"]) => Promise<void> }> {
    const { endpoint, breaker } = link;
    const start = elapsedMs();
    const account = async (outcome: CallRecord["outcome"], done?: Completion): Promise<void> => {
      await record?.({
        purpose: question.purpose,
        model: done?.model ?? endpoint.model,
        endpoint: endpoint.name,
        durationMs: Math.max(0, Math.round(elapsedMs() - start)),
        outcome,
        ...(done?.inputTokens !== undefined && { inputTokens: done.inputTokens }),
        ...(done?.outputTokens !== undefined && { outputTokens: done.outputTokens }),
        ...(question.runId !== undefined && { runId: question.runId }),
      }).catch(() => undefined);
    };
    try {
      const done = await endpoint.complete(turns, { maxTokens: question.maxTokens, timeoutMs: question.timeoutMs });
      breaker.succeeded();
      return { ...done, account: (outcome) => account(outcome, done) };
    } catch (error) {
      const known = error instanceof EndpointError ? error : undefined;
      breaker.failed(elapsedMs(), known?.retryAfterMs);
      await account(known?.fault === "refused" ? "refused" : "transport");
      throw error;
    }
  }

  async function askLink<T>(link: (typeof chain)[number], question: Question<T>): Promise<Reply<T>> {
    const turns: ChatTurn[] = [
      { role: "system", content: question.system },
      { role: "user", content: question.user },
    ];
    const spent = { input: 0, output: 0 };
    for (let attempt = 1; ; attempt++) {
      const done = await complete(link, question, turns);
      spent.input += done.inputTokens ?? 0;
      spent.output += done.outputTokens ?? 0;
      const read = extractJson(done.text, question.reply);
      await done.account(read.ok ? "ok" : "unreadable");
      if (read.ok) {
        return { value: read.value, model: done.model, inputTokens: spent.input, outputTokens: spent.output };
      }
      if (attempt === 2) throw new LlmError("unreadable", `${link.endpoint.name}: ${read.error}`);
      turns.push(
        { role: "assistant", content: done.text.slice(-SHOWN_REPLY_CHARS) || "(empty)" },
        {
          role: "user",
          content: `${read.error}\nAnswer again with exactly one JSON object in the form asked for, and nothing else.`,
        },
      );
    }
  }

  return {
    configured: chain.length > 0,
    async ask<T>(question: Question<T>): Promise<Reply<T>> {
      if (chain.length === 0) throw new LlmError("none", "no model is configured");
      let last: unknown;
      for (const link of chain) {
        if (link.breaker.isResting(elapsedMs())) continue;
        try {
          return await askLink(link, question);
        } catch (error) {
          if (!(error instanceof EndpointError)) throw error;
          last = error;
        }
      }
      const why = last instanceof Error ? last.message : "all endpoints rest after failures";
      throw new LlmError("transport", why, { cause: last });
    },
  };
}
