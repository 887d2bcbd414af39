import { z } from "zod";
import type { EditorCall } from "../engine/proactive/decide-run.ts";
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

type Given = Readonly<Record<string, unknown>>;

/** A tool that acts on a person's words. `scope.db` is the transaction of the call. */
export interface PersonTool extends ToolSchema {
  calledBy: "person";
  /** @throws EngineError · ToolRefused (422) when the arguments do not fit */
  call(scope: Scope, caller: Caller, args: Given): Promise<ToolResult>;
}

/** A tool of a turn nobody speaks in, which Herald itself asked for. Makes its own transaction. */
export interface EditorTool extends ToolSchema {
  calledBy: "editor";
  /** @throws EngineError · ToolRefused (422) when the arguments do not fit */
  call(scope: Scope, call: EditorCall, args: Given): Promise<ToolResult>;
}

export type AgentTool = PersonTool | EditorTool;

interface Definition<S extends z.ZodType, C> {
  name: string;
  description: string;
  args: S;
  handle(scope: Scope, caller: C, args: z.output<S>): Promise<ToolResult>;
}

/** A row of the table of tools: the JSON schema is made from the zod that also checks the arguments. */
export function personTool<S extends z.ZodType>(tool: Definition<S, Caller>): PersonTool {
  return {
    ...schemaOf(tool),
    calledBy: "person",
    call: (scope, who, given) => tool.handle(scope, who, parse(tool.args, given)),
  };
}

/** The same for a tool of Herald's own turns. */
export function editorTool<S extends z.ZodType>(tool: Definition<S, EditorCall>): EditorTool {
  return {
    ...schemaOf(tool),
    calledBy: "editor",
    call: (scope, who, given) => tool.handle(scope, who, parse(tool.args, given)),
  };
}

function schemaOf({ name, description, args }: { name: string; description: string; args: z.ZodType }): ToolSchema {
  const { $schema: _, additionalProperties: __, ...parameters } = z.toJSONSchema(args);
  return { name, description, parameters };
}

function parse<S extends z.ZodType>(args: S, given: Given): z.output<S> {
  const parsed = args.safeParse(withoutBlanks(given));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path.join(".") || "The arguments";
  throw new ToolRefused(422, `${path}: ${issue?.message ?? "not understood"}. Nothing was changed.`);
}

/** Models fill fields they do not mean with null or nothing, at any depth. */
function withoutBlanks(given: Given): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null && !(typeof value === "string" && value.trim() === ""))
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(within) : within(value)]),
  );
}

function within(value: unknown): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? withoutBlanks({ ...value }) : value;
}
