import type { Settings } from "../settings.ts";

export type EditorName = "main-agent" | "model" | "code";

/**
 * Who judges the candidates, in the order in which they are tried: the main agent, a direct model call, plain code, which
 * always has an answer. When the rules of code hold back every candidate there is nothing left to judge, and nobody is
 * woken or paid for it.
 */
export function chooseEditors(facts: {
  wish: Settings["editor"];
  /** Hermes can be spoken to, and this is no dry run. */
  agentReachable: boolean;
  modelConfigured: boolean;
  /** Candidates the rules allow. */
  allowed: number;
}): readonly EditorName[] {
  const { wish, agentReachable, modelConfigured, allowed } = facts;
  if (wish === "code" || allowed === 0) return ["code"];
  return [
    ...(wish === "auto" && agentReachable ? (["main-agent"] as const) : []),
    ...(modelConfigured ? (["model"] as const) : []),
    "code",
  ];
}
