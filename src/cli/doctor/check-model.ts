import type { Config, Endpoint } from "../../config.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const TIMEOUT_MS = 8_000;

/** The models: each endpoint answers and takes its key. Nothing is asked of a model, so nothing is paid for. */
export async function checkModel({ llm }: Config): Promise<Finding> {
  if (llm.length === 0) return warn("model", "noModel");
  for (const endpoint of llm) {
    const { host } = new URL(endpoint.baseUrl);
    const status = await statusOf(endpoint);
    if (status === undefined) return fail("model", "modelAway", { host });
    if (status === 401 || status === 403) return fail("model", "modelKey", { host, status });
  }
  return ok("model", { models: llm.map((endpoint) => endpoint.model).join(", ") });
}

async function statusOf({ baseUrl, apiKey }: Endpoint): Promise<number | undefined> {
  try {
    const response = await fetch(`${baseUrl}/models`, {
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } }),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
