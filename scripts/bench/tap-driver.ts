import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { encryptBody, signBody } from "../../src/playground/webhook-push.ts";
import { quantile } from "./result.ts";
import { APP, type StandIn } from "./stand-in.ts";
import { CHAT, OWNER, placeOf } from "./tap-data.ts";

export const ENCRYPT_KEY = "bench-encrypt-key";

/** How one group of taps went; latencies in ms. */
export interface Taken {
  readonly latencies: readonly number[];
  /** answers that were not what they had to be */
  readonly wrong: readonly unknown[];
  readonly late: number;
  readonly tookMs: number;
}

export interface TapTarget {
  /** Presses *Done* on the n-th matter and resolves with the answer. */
  tap(n: number): Promise<unknown>;
  fits(answer: unknown): boolean;
  /** A right answer that only says the result comes later. */
  isLate(answer: unknown): boolean;
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Taps over HTTP as the platform pushes them: encrypted and signed. */
export function overHttp(url: string, now: () => Date): TapTarget["tap"] {
  const target = new URL("/feishu/webhook", url);
  return (n) =>
    new Promise((resolve, reject) => {
      const body = encryptBody(JSON.stringify(envelope(n)), ENCRYPT_KEY);
      const timestamp = String(Math.floor(now().getTime() / 1000));
      const nonce = randomBytes(8).toString("hex");
      const call = request(
        target,
        {
          method: "POST",
          agent,
          headers: {
            "content-type": "application/json; charset=utf-8",
            "content-length": Buffer.byteLength(body),
            "x-lark-request-timestamp": timestamp,
            "x-lark-request-nonce": nonce,
            "x-lark-signature": signBody({ timestamp, nonce, encryptKey: ENCRYPT_KEY, body }),
          },
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (part: string) => {
            text += part;
          });
          response.on("end", () => resolve(readJson(text)));
        },
      );
      call.on("error", reject);
      call.end(body);
    });
}

/** Taps over the long connection. */
export function overSocket(standIn: StandIn): TapTarget["tap"] {
  return async (n) => {
    const ack = await standIn.push(Buffer.from(JSON.stringify(envelope(n))));
    return readJson(ack?.data?.toString("utf8") ?? "");
  };
}

/** One after the other, as fast as they are answered. */
export async function alone(target: TapTarget, numbers: readonly number[]): Promise<Taken> {
  return group(target, numbers, 1);
}

/** Sixteen at a time. */
export async function flatOut(target: TapTarget, numbers: readonly number[]): Promise<Taken> {
  return group(target, numbers, 16);
}

/** At a fixed rate whatever comes back; latency counts from the instant each tap was due. */
export async function atRate(target: TapTarget, numbers: readonly number[], perSecond: number): Promise<Taken> {
  const begun = performance.now();
  const done = numbers.map(async (n, i) => {
    const due = begun + (i * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    const answer = await target.tap(n);
    return { ms: performance.now() - due, ...verdict(target, answer) };
  });
  return summed(await Promise.all(done), begun);
}

export function p(taken: Taken, q: number): number {
  return quantile(taken.latencies, q);
}

async function group(target: TapTarget, numbers: readonly number[], atOnce: number): Promise<Taken> {
  const begun = performance.now();
  const left = [...numbers].reverse();
  const done: Done[] = [];
  const lane = async (): Promise<void> => {
    for (let n = left.pop(); n !== undefined; n = left.pop()) {
      const sent = performance.now();
      const answer = await target.tap(n);
      done.push({ ms: performance.now() - sent, ...verdict(target, answer) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return summed(done, begun);
}

type Done = { ms: number; wrong: readonly unknown[]; late: boolean };

function verdict(target: TapTarget, answer: unknown): Omit<Done, "ms"> {
  const late = target.isLate(answer);
  return { wrong: late || target.fits(answer) ? [] : [answer], late };
}

function summed(done: readonly Done[], begun: number): Taken {
  return {
    latencies: done.map(({ ms }) => ms),
    wrong: done.flatMap(({ wrong }) => wrong),
    late: done.filter(({ late }) => late).length,
    tookMs: performance.now() - begun,
  };
}

function envelope(n: number): object {
  const { item, post, message } = placeOf(n);
  return {
    schema: "2.0",
    header: {
      event_id: randomBytes(16).toString("hex"),
      token: "bench",
      create_time: "1796000000000000",
      event_type: "card.action.trigger",
      tenant_key: "bench",
      app_id: APP.appId,
    },
    event: {
      operator: { tenant_key: "bench", user_id: "u1", open_id: OWNER, union_id: "on_bench" },
      token: `c-${randomBytes(16).toString("hex")}`,
      action: {
        value: { v: 1, post, action: "item.done", payload: { item, rev: 1 } },
        tag: "button",
        timezone: "Asia/Shanghai",
      },
      host: "im_message",
      context: { open_message_id: message, open_chat_id: CHAT },
    },
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
