import { z } from "zod";
import type { Scope } from "../engine/scope.ts";
import { ToolRefused } from "./tool-refused.ts";
import type { Caller } from "./who-speaks.ts";

/** What a model reads as the answer: short, JSON-safe, no internal names. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** A tool in the form Hermes registers it. */
export interface ToolSchema {
  name: string;
  description: string;
  /** JSON schema of the arguments */
  parameters: Readonly<Record<string, unknown>>;
}

export interface AgentTool extends ToolSchema {
  /**
   * Runs the tool. `scope.db` is the transaction of the call.
   * @throws EngineError · ToolRefused (422) when the arguments do not fit
   */
  call(scope: Scope, caller: Caller, args: Readonly<Record<string, unknown>>): Promise<ToolResult>;
}

/** A row of the table of tools: the JSON schema is made from the zod that also checks the arguments. */
export function defineTool<S extends z.ZodType>(tool: {
  name: string;
  description: string;
  args: S;
  handle(scope: Scope, caller: Caller, args: z.output<S>): Promise<ToolResult>;
}): AgentTool {
  const { name, description, args } = tool;
  const { $schema: _, additionalProperties: __, ...parameters } = z.toJSONSchema(args);
  return {
    name,
    description,
    parameters,
    call(scope, caller, given) {
      const parsed = args.safeParse(withoutBlanks(given));
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        throw new ToolRefused(
          422,
          `${issue?.path.join(".") || "The arguments"}: ${issue?.message ?? "not understood"}. Nothing was changed.`,
        );
      }
      return tool.handle(scope, caller, parsed.data);
    },
  };
}

/** Models fill fields they do not mean with null or nothing. */
function withoutBlanks(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null && !(typeof value === "string" && value.trim() === "")),
  );
}
