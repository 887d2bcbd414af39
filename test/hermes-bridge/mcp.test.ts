import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import Koa from "koa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mountMcp } from "../../src/mount-mcp.ts";
import { type Given, given } from "../helpers/given.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";

const TOKEN = "m".repeat(32);
let db: TestDb;
let made: Given;
let server: Server;
let url: URL;
let changes = 0;
beforeEach(async () => {
  db = await openTestDb();
  made = given(db.db);
  await made.people();
  changes = 0;
  const koa = new Koa();
  koa.use(
    mountMcp({
      scope: made.a,
      token: TOKEN,
      version: "1.0.0",
      changed: () => {
        changes++;
      },
    }),
  );
  const answer = koa.callback();
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await db.release();
});

async function connected(token = TOKEN): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

const textOf = (result: unknown): Record<string, unknown> => {
  const [first] = (result as { content: { text: string }[] }).content;
  return JSON.parse(first?.text ?? "null");
};

test("the official client lists the same table and keeps track on the owner's words", async () => {
  const client = await connected();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["tracking_manage", "proactivity_read", "proactivity_select"]);
  const added = await client.callTool({
    name: "tracking_manage",
    arguments: { action: "add", title: "把报价单发给客户A" },
  });
  expect(textOf(added)).toMatchObject({ result: "added", item: { title: "把报价单发给客户A" } });
  const listed = await client.callTool({ name: "tracking_manage", arguments: { action: "list" } });
  expect(textOf(listed)).toMatchObject({ total: 1 });
  expect(changes).toBe(2);
  const audit = await db.db.auditEntry.findFirst({ where: { what: "item.opened" } });
  expect(audit === null || audit.actorKind === "agent").toBe(true);
  await client.close();
});

test("a refusal is an error the model can read, and nothing is changed", async () => {
  const client = await connected();
  const refused = await client.callTool({
    name: "tracking_manage",
    arguments: { action: "close", item: "9", outcome: "done" },
  });
  expect(refused.isError).toBe(true);
  expect((refused.content as { text: string }[])[0]?.text).toContain("Nothing was changed");
  const unknown = await client.callTool({ name: "shell", arguments: {} });
  expect(unknown.isError).toBe(true);
  const editorial = await client.callTool({ name: "proactivity_read", arguments: {} });
  expect(editorial.isError).toBe(true);
  await client.close();
});

test("without the token, from another page, under another name or through a proxy nobody gets a word", async () => {
  await expect(connected("x".repeat(32))).rejects.toThrow();
  const call = async (headers: Record<string, string>, method = "POST"): Promise<number> => {
    const init = {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", ...headers },
    };
    return (await fetch(url, method === "POST" ? { ...init, body: "{}" } : init)).status;
  };
  expect(await call({ authorization: "" })).toBe(401);
  expect(await call({ "x-forwarded-for": "10.0.0.1" })).toBe(401);
  expect(await call({ origin: "https://evil.example" })).toBe(403);
  expect(await call({}, "GET")).toBe(405);
  expect(await call({}, "DELETE")).toBe(405);
});
