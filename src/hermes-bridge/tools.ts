import type { AgentTool, ToolSchema } from "./agent-tool.ts";
import { proactivityRead } from "./proactivity-read.ts";
import { proactivitySelect } from "./proactivity-select.ts";
import { trackingManage } from "./tracking-manage.ts";

/** Every tool offered to agents: what the plugin registers, what MCP lists and what is called come from this one table. */
export const agentTools: readonly AgentTool[] = [trackingManage, proactivityRead, proactivitySelect];

/** The table as Hermes registers it. */
export function toolSchemas(): readonly ToolSchema[] {
  return agentTools.map(({ name, description, parameters }) => ({ name, description, parameters }));
}
