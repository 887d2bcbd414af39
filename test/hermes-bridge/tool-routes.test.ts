import { request as httpRequest, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createServer } from "../../src/bot/server.ts";
import { changeSettings } from "../../src/engine/settings.ts";
import { BRIDGE_BODY_BYTES, bridgeRoutes } from "../../src/hermes-bridge/tool-routes.ts";
import { mountBridge } from "../../src/mount-bridge.ts";
import { type Given, given, MONDAY_10, owner } from "../helpers/given.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";
import { type ToldHistory, toldHistory } from "../helpers/told-history.ts";

const TOKEN = "only-this-token-opens-the-door";

let test: TestDb;
let made: Given;
let history: ToldHistory;
let server: Server;
let changes = 0;
beforeEach(async () => {
  changes = 0;
  test = await openTestDb();
  history = toldHistory([{ session: "dm", at: MONDAY_10, text: "报价单发了" }]);
  made = given(test.db, { history });
  await made.people();
  const { a: scope } = made;
  const changed = (): void => {
    changes += 1;
  };
  server = createServer({
    clock: scope.clock,
    log: scope.log,
    readiness: async () => [],
    bridge: mountBridge(bridgeRoutes({ scope, token: TOKEN, version: "1.2.3", changed })),
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await test.release();
});

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: Record<string, unknown>;
}

/** Plain HTTP, because fetch lets nobody choose the Host. */
function ask(
  method: string,
  path: string,
  options: { body?: string | Buffer; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const { port } = server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${TOKEN}`, ...options.headers };
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port, method, path, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: text.startsWith("{") ? JSON.parse(text) : {},
        }),
      );
    });
    sent.on("error", reject);
    sent.end(options.body);
  });
}

const call = (args: unknown, context: unknown = { session_id: "dm" }): Promise<Reply> =>
  ask("POST", "/bridge/tools/tracking_manage", { body: JSON.stringify({ args, context }) });

describe("the bridge's door", () => {
  it.each<[string, Record<string, string>]>([
    ["no token", { authorization: "" }],
    ["another token", { authorization: "Bearer only-this-token-opens-the-dooR" }],
    ["a beginning of the token", { authorization: "Bearer only-this" }],
    ["the token without its scheme", { authorization: TOKEN }],
    ["a name that leads here from elsewhere", { host: "evil.example:8686" }],
    ["a name that only begins like this machine's", { host: "127.0.0.1.evil.example" }],
    ["a proxy's request", { "x-forwarded-for": "203.0.113.9" }],
  ])("%s gets 401 and no word more", async (_, headers) => {
    await made.item();
    for (const [method, path] of [
      ["GET", "/bridge/ping"],
      ["GET", "/bridge/tools"],
      ["GET", "/bridge/sections"],
      ["GET", "/bridge/nothing"],
      ["POST", "/bridge/tools/tracking_manage"],
    ] as const) {
      const reply = await ask(method, path, { headers });
      expect([reply.status, reply.text]).toEqual([401, "{}"]);
    }
    expect(changes).toBe(0);
  });

  it.each(["localhost:8686", "127.0.0.1", "[::1]:8686"])("this machine under the name %s is let in", async (host) => {
    expect(await ask("GET", "/bridge/ping", { headers: { host } })).toMatchObject({
      status: 200,
      body: { ok: true, version: "1.2.3" },
    });
  });

  it("a peer on another machine gets 401 even with the token", async () => {
    const handle = bridgeRoutes({ scope: made.a, token: TOKEN, version: "", changed: () => {} });
    const from = (peer: string | undefined) =>
      handle({
        method: "GET",
        path: "/bridge/ping",
        authorization: `Bearer ${TOKEN}`,
        host: "127.0.0.1",
        forwarded: false,
        peer,
        read: async () => undefined,
      });
    for (const peer of ["192.168.1.7", "::ffff:10.0.0.1", "fe80::1", undefined]) {
      expect(await from(peer)).toEqual({ status: 401, body: {} });
    }
    for (const peer of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) expect((await from(peer)).status).toBe(200);
  });

  it("takes 64 KB and refuses more before reading on", async () => {
    const over = JSON.stringify({ args: { action: "list", x: "x".repeat(BRIDGE_BODY_BYTES) } });
    expect((await ask("POST", "/bridge/tools/tracking_manage", { body: over })).status).toBe(413);
  });

  it.each(["", "null", "[]", "{half", '"text"', "\u0000"])("a body of %j is refused, not a crash", async (body) => {
    const reply = await ask("POST", "/bridge/tools/tracking_manage", { body });
    expect(reply.status).toBe(422);
    expect(reply.body.error).toContain("nothing was changed");
  });

  it("what it does not know is 404, and the rest of the server is as before", async () => {
    expect((await ask("POST", "/bridge/tools/rm_rf", { body: "{}" })).status).toBe(404);
    expect((await ask("GET", "/bridge/tools/tracking_manage")).status).toBe(404);
    expect((await ask("DELETE", "/bridge/ping")).status).toBe(404);
    expect((await ask("GET", "/healthz", { headers: { authorization: "" } })).body).toEqual({ alive: true });
  });
});

describe("what the plugin is given", () => {
  it("the table of tools in the form Hermes registers, made from what checks the arguments", async () => {
    const { body } = await ask("GET", "/bridge/tools");
    const [tool, ...more] = body.tools as { name: string; description: string; parameters: Record<string, unknown> }[];
    expect(more.map(({ name }) => name)).toEqual(["proactivity_read", "proactivity_select"]);
    expect(Object.keys(tool ?? {}).sort()).toEqual(["description", "name", "parameters"]);
    expect(tool?.name).toBe("tracking_manage");
    expect(tool?.description).toMatch(/silently.*terminal.*SQL.*dropped.*snooze.*own language/s);
    expect(tool?.parameters).toMatchObject({
      type: "object",
      required: ["action"],
      properties: {
        action: { type: "string", enum: ["list", "add", "update", "close", "snooze"] },
        item: { type: "string" },
        outcome: { type: "string", enum: ["done", "dropped"] },
        page: { type: "integer", minimum: 1 },
      },
    });
    // Flat: what some models' APIs do not take is not in it.
    for (const { parameters } of [tool, ...more].filter((each) => each !== undefined)) {
      expect(JSON.stringify(parameters)).not.toMatch(/anyOf|oneOf|\$ref|\$schema/);
      for (const field of Object.values(parameters.properties as Record<string, { description?: string }>)) {
        expect(field.description).toBeTruthy();
      }
    }
  });

  it("two sections on human surfaces, the second only in chats, and off when it is switched off", async () => {
    type Section = { name: string; text: string; notOn: string[] };
    const read = async (): Promise<Section[]> => (await ask("GET", "/bridge/sections")).body.sections as Section[];
    const [tracking, announce] = await read();
    expect([tracking?.name, announce?.name]).toEqual(["tracking", "announce"]);
    for (const section of [tracking, announce]) {
      expect(section?.text.length).toBeLessThanOrEqual(4_000);
      expect(section?.text).toContain("own language");
      expect(section?.notOn).toEqual(
        expect.arrayContaining(["cron", "subagent", "tool", "webhook", "msgraph_webhook", "system", "api_server"]),
      );
      expect(section?.notOn).not.toContain("feishu");
    }
    for (const surface of ["cli", "tui", "desktop", "local"]) {
      expect(tracking?.notOn).not.toContain(surface);
      expect(announce?.notOn).toContain(surface);
    }
    expect((tracking?.text.length ?? 0) + (announce?.text.length ?? 0)).toBeLessThanOrEqual(8_000);
    await changeSettings(made.a, owner, { announceWork: "false" });
    expect((await read()).map(({ name }) => name)).toEqual(["tracking"]);
  });
});

describe("a call", () => {
  it("is one transaction, and cards are told", async () => {
    await made.item();
    const reply = await call({ action: "close", item: 1, outcome: "done" });
    expect(reply).toMatchObject({ status: 200, body: { result: "closed", item: { number: 1, status: "done" } } });
    expect(changes).toBe(1);
  });

  it("that is refused changes nothing, tells no card, and answers in one sentence", async () => {
    await made.item();
    const reply = await call({ action: "close", item: 7, outcome: "done" });
    expect(reply.status).toBe(404);
    expect(Object.keys(reply.body)).toEqual(["error"]);
    expect(changes).toBe(0);
  });

  it("without context, or with context of another shape, is one from no known session", async () => {
    expect((await call({ action: "list" }, null)).status).toBe(403);
    expect((await call({ action: "list" }, { session_id: 5 })).status).toBe(403);
  });

  it("while Hermes' store cannot be read is 503", async () => {
    history.lock(true);
    expect((await call({ action: "list" })).status).toBe(503);
  });

  it("that meets a bug answers with a reference and never a stack", async () => {
    history.session = async () => {
      throw new TypeError("secret detail");
    };
    const reply = await call({ action: "list" });
    expect(reply.status).toBe(500);
    expect(reply.body.error).toMatch(/^Something went wrong in Herald \(\w+\); nothing was changed\.$/);
    expect(reply.text).not.toMatch(/secret detail|TypeError|\.ts/);
  });
});
