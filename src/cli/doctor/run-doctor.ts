import { ConfigError, loadConfig } from "../../config.ts";
import { presentProblems } from "../../present-config.ts";
import { textsFor } from "../../text/pick.ts";
import { chooseAgent } from "../choose-agent.ts";
import { doctor } from "./doctor.ts";
import type { Finding } from "./finding.ts";
import { presentFindings, wordsOf } from "./present-findings.ts";

/**
 * `herald doctor [--json]`. Exit code 0: nothing needs anybody · 1: something does not work · 2: the configuration itself is
 * wrong, so that nothing else could be looked at.
 */
export async function runDoctor(options: {
  json?: boolean;
  agent?: string;
}): Promise<{ text: string; exitCode: 0 | 1 | 2 }> {
  try {
    const { config } = loadConfig();
    const t = textsFor(config.terminal ?? config.language).doctor;
    const looked: { agent: string; findings: Finding[] }[] = [];
    for (const agent of options.agent === undefined
      ? (config.agents ?? [config])
      : [chooseAgent(config, options.agent)]) {
      const findings = await doctor(agent, process.versions.node, () => new Date());
      looked.push({ agent: agent.agentId ?? "main", findings });
    }
    const failed = looked.some(({ findings }) => findings.some((finding) => finding.state === "fail"));
    const shown = looked.map(({ agent, findings }) => ({ agent, findings: findings.map((each) => asJson(each, t)) }));
    const lines = looked.flatMap(({ agent, findings }) => [
      ...(config.agents === undefined ? [] : [`── ${agent} ──`]),
      ...presentFindings(findings, t),
    ]);
    const [only] = shown;
    const body = config.agents === undefined ? { findings: only?.findings } : { agents: shown };
    const text = options.json ? JSON.stringify({ ok: !failed, ...body }, null, 2) : lines.join("\n");
    return { text, exitCode: failed ? 1 : 0 };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const texts = textsFor(error.language);
    const findings = error.problems.map(({ variable }) => ({ check: "config", state: "fail", variable }));
    const lines = presentProblems(error.problems, texts);
    return { text: options.json ? JSON.stringify({ ok: false, findings, lines }, null, 2) : lines, exitCode: 2 };
  }
}

function asJson(finding: Finding, t: Parameters<typeof wordsOf>[1]): object {
  return "problem" in finding ? { ...finding, ...wordsOf(finding, t) } : finding;
}
