import type { SplitMessage } from "../engine/agent-messages/deliver-agent-message.ts";
import type { Scope } from "../engine/scope.ts";
import { GatewayHub } from "./gateway-hub.ts";
import { type GatewayTurns, gatewayTurns } from "./gateway-turns.ts";
import { platformRoutes } from "./platform-routes.ts";
import type { BridgeRoute } from "./tool-routes.ts";

/** The way to Hermes' gateway: what the engine asks of it, and what the plugin in it calls. */
export interface Gateway {
  turns: GatewayTurns;
  routes: readonly BridgeRoute[];
  /** Ends every wait, so that a server may stop; nothing that was given or said is lost by it. */
  close(): void;
}

export function openGateway(parts: { scope: Scope; split: SplitMessage; owed: () => void }): Gateway {
  const hub = new GatewayHub();
  return {
    turns: gatewayTurns(parts.scope, hub),
    routes: platformRoutes({ hub, split: parts.split, owed: parts.owed }),
    close: () => hub.close(),
  };
}
