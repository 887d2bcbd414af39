import type { ToolStatus } from "./telemetry.ts";

/** What Hermes says of a call, and what its result says: a command that ended with another code than 0 counts as failed. */
export interface ToolOutcome {
  success: boolean;
  errorType?: string;
}

const EXIT_CODE = /"exit_code"\s*:\s*(-?\d{1,6})(?!.*"exit_code")/s;
const ERROR_FIRST = /^\s*\{\s*"(?:error|success)"\s*:\s*(?:"(?!")|\{|false)/;

/**
 * Whether a call went well. The result may be cut: its beginning and, for a long one, its end are enough.
 */
export function toolOutcome(call: {
  status: ToolStatus;
  errorType?: string | undefined;
  result?: string | undefined;
  resultTail?: string | undefined;
}): ToolOutcome {
  if (call.status !== "ok") return { success: false, errorType: call.errorType ?? call.status };
  if (call.errorType) return { success: false, errorType: call.errorType };
  const head = call.result ?? "";
  if (!/^\s*\{/.test(head)) return { success: true };
  const code = EXIT_CODE.exec(call.resultTail ?? head)?.[1];
  if (code !== undefined && Number(code) !== 0) return { success: false, errorType: `exit_code_${Number(code)}` };
  return ERROR_FIRST.test(head) || hasError(head) ? { success: false, errorType: "tool_error" } : { success: true };
}

function hasError(text: string): boolean {
  try {
    const { error, success } = JSON.parse(text) as { error?: unknown; success?: unknown };
    return success === false || (error !== undefined && error !== null && error !== "" && error !== false);
  } catch {
    // Cut: what stands at its beginning has been looked at.
    return false;
  }
}
