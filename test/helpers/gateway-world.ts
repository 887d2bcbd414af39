import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "../../src/bot/server.ts";
import { agentMessageParts } from "../../src/cards/agent-message-card.ts";
import type { TurnEvent, TurnRequest, TurnResult } from "../../src/engine/ports.ts";
import type { Scope } from "../../src/engine/scope.ts";
import { type Gateway, openGateway } from "../../src/hermes-bridge/gateway.ts";
import { bridgeRoutes } from "../../src/hermes-bridge/tool-routes.ts";
import { mountBridge } from "../../src/mount-bridge.ts";
import { projectRoot } from "../../src/project-root.ts";

const TOKEN = "the-gateway-and-herald-know-it";
export const OWNER_CHAT_ID = "oc_owner_direct";

/** Herald's side as far as the gateway meets it: the real routes on a real port, on a database that outlives a restart. */
export interface GatewayWorld {
  gateway: Gateway;
  /** where the plugin stands, as the installer puts it */
  pluginFolder: string;
  /** Herald ends and comes again on the same port, on the same rows. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** a turn of the owner's, with everything that was seen of it */
  run(text: string, more?: Partial<TurnRequest>): { events: TurnEvent[]; result: Promise<TurnResult>; turnId: string };
  /** what Hermes said by itself, as it is owed, oldest first */
  owed(): Promise<{ to: string; text: string; parts: number; origin: string }[]>;
  close(): Promise<void>;
}

export async function startGatewayWorld(scope: Scope): Promise<GatewayWorld> {
  const home = mkdtempSync(join(tmpdir(), "herald-hermes-"));
  const pluginFolder = join(home, "plugins", "herald");
  const source = join(projectRoot, "src", "hermes-bridge", "plugin", "herald");
  mkdirSync(pluginFolder, { recursive: true });
  for (const name of readdirSync(source).filter((each) => /\.(py|yaml)$/.test(each))) {
    cpSync(join(source, name), join(pluginFolder, name));
  }
  await scope.db.person.updateMany({
    where: { agentId: scope.agent.id, role: "owner" },
    data: { directChatId: OWNER_CHAT_ID },
  });
  let port = 0;
  let server: Server;
  let turns = 0;
  const world: GatewayWorld = {
    gateway: undefined as unknown as Gateway,
    pluginFolder,
    async start() {
      const gateway = openGateway({ scope, split: agentMessageParts, owed: () => {} });
      world.gateway = gateway;
      server = createServer({
        clock: scope.clock,
        log: scope.log,
        readiness: async () => [],
        bridge: mountBridge(
          bridgeRoutes({ scope, token: TOKEN, version: "1.2.3", changed: () => {}, routes: gateway.routes }),
        ),
      });
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, "127.0.0.1", resolve);
      });
      port = (server.address() as AddressInfo).port;
    },
    async stop() {
      world.gateway.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeIdleConnections();
      });
    },
    async restart() {
      await world.stop();
      await world.start();
    },
    run(text, more = {}) {
      const events: TurnEvent[] = [];
      turns += 1;
      const request: TurnRequest = {
        turnId: `turn_${turns}`,
        sessionKey: OWNER_CHAT_ID,
        place: { chatId: OWNER_CHAT_ID, type: "dm", name: "林悦" },
        sender: { openId: "ou_owner", name: "林悦" },
        text,
        purpose: "chat",
        ...more,
      };
      return {
        events,
        turnId: request.turnId,
        result: world.gateway.turns.run(request, (event) => events.push(event)),
      };
    },
    async owed() {
      const posts = await scope.db.cardPost.findMany({
        where: { agentId: scope.agent.id, subjectKind: "agent-message" },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      });
      const rows = await scope.db.agentMessage.findMany({ where: { agentId: scope.agent.id } });
      return rows.map((row) => ({
        to: row.receiveId,
        text: row.text,
        parts: posts.filter((post) => post.subjectId === row.id).length,
        origin: row.origin,
      }));
    },
    async close() {
      await world.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
  await world.start();
  writeFileSync(join(pluginFolder, "herald.json"), JSON.stringify({ url: `http://127.0.0.1:${port}`, token: TOKEN }));
  writeFileSync(join(pluginFolder, "tools.json"), JSON.stringify({ tools: [] }));
  return world;
}
