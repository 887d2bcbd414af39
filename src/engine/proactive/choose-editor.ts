import type { Settings } from "../settings.ts";

/**
 * Who judges the candidates: a direct model call where one is configured and wished for, else plain code. When the rules
 * of code hold back every candidate there is nothing left to judge and no question is paid for.
 */
export function chooseEditor(facts: {
  wish: Settings["editor"];
  modelConfigured: boolean;
  /** Candidates the rules allow. */
  allowed: number;
}): "model" | "code" {
  if (facts.wish === "code" || !facts.modelConfigured || facts.allowed === 0) return "code";
  return "model";
}
