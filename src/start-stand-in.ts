import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { SampleConversations } from "./hermes-bridge/sample-conversations.ts";
import { type AgentServer, startAgentServer } from "./playground/agent/agent-server.ts";
import { standInMind } from "./playground/agent/stand-in-mind.ts";

/** Fast enough to read along, slow enough to be seen. */
const WORD_MS = 35;

/**
 * The playground's stand-in for Hermes: the API server's calls on a free port of this machine, with a key nobody else
 * knows. What is said to it stands in the sample home's own store, so that it is read like anything said to Hermes; beside
 * somebody's real Hermes it keeps a store of its own.
 */
export async function startStandIn(options: {
  /** the sample home in use; undefined = the person's own Hermes is read */
  sampleHome: string | undefined;
  /** the playground's folder */
  folder: string;
  now: () => Date;
}): Promise<AgentServer> {
  const { sampleHome, folder, now } = options;
  const store = new SampleConversations(join(sampleHome ?? join(folder, "stand-in"), "state.db"));
  const server = await startAgentServer({
    key: randomBytes(24).toString("hex"),
    now,
    store,
    mind: standInMind,
    version: "stand-in",
    behaviour: { wordMs: WORD_MS },
  });
  const { close } = server;
  server.close = async () => {
    await close();
    store.close();
  };
  return server;
}
