import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Scope } from "../engine/scope.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { ownerSpeaks } from "./owner-speaks.ts";
import { runTool } from "./run-tool.ts";
import { agentTools } from "./tools.ts";

export interface McpParts {
  scope: Scope;
  version: string;
  /** something was changed that cards show */
  changed: () => void;
}

/**
 * The table of tools as an MCP server. Whoever holds the token works for the owner: what it calls is done on the owner's
 * words, as in a direct chat. The SDK is loaded by the first who asks.
 */
export async function mcpServer({ scope, version, changed }: McpParts): Promise<Server> {
  const [{ Server: McpServer }, { CallToolRequestSchema, ListToolsRequestSchema }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const server = new McpServer({ name: "herald", version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: agentTools.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { ...parameters, type: "object" as const },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = agentTools.find(({ name }) => name === params.name);
    if (tool === undefined) return failed(`There is no tool ${params.name}.`);
    try {
      const result = await runTool(scope, tool, { speaker: () => ownerSpeaks(scope) }, params.arguments ?? {});
      changed();
      return { content: [{ type: "text" as const, text: JSON.stringify(result) }] };
    } catch (error) {
      const refusal = explainRefusal(error);
      if (refusal) return failed(refusal.error);
      const ref = scope.log.incident("mcp.failed", error, { tool: params.name });
      return failed(`Something went wrong in Herald (${ref}); nothing was changed.`);
    }
  });
  return server;
}

function failed(text: string): { isError: true; content: { type: "text"; text: string }[] } {
  return { isError: true, content: [{ type: "text", text }] };
}
