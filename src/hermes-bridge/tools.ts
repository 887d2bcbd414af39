import type { AgentTool, ToolSchema } from "./agent-tool.ts";
import { trackingManage } from "./tracking-manage.ts";

/** Every tool offered to Hermes. What the plugin registers and what is called come from this one table. */
export const agentTools: readonly AgentTool[] = [trackingManage];

/** The table as Hermes registers it. */
export function toolSchemas(): readonly ToolSchema[] {
  return agentTools.map(({ name, description, parameters }) => ({ name, description, parameters }));
}
