import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentTurns } from "../../src/engine/ports.ts";
import { chooseTurns } from "../../src/hermes-bridge/choose-turns.ts";
import { findApiServer } from "../../src/hermes-bridge/find-api-server.ts";
import { noTurns } from "../../src/hermes-bridge/no-hermes.ts";
import { aTurn } from "../helpers/fake-hermes-api.ts";

function homeWith(files: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), "herald-find-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  return home;
}

describe("where Hermes' API server is", () => {
  it("is what the configuration says, with the key of Hermes' own files only on this machine", () => {
    const home = homeWith({ ".env": "API_SERVER_KEY=from-hermes\n" });
    expect(findApiServer(home, { apiUrl: "http://10.0.0.5:8642", apiKey: "k" })).toEqual({
      url: "http://10.0.0.5:8642",
      key: "k",
    });
    expect(findApiServer(home, { apiUrl: "http://10.0.0.5:8642" })).toEqual({ url: "http://10.0.0.5:8642" });
    expect(findApiServer(home, { apiUrl: "http://127.0.0.1:9000" })).toEqual({
      url: "http://127.0.0.1:9000",
      key: "from-hermes",
    });
  });

  it.each([
    [
      ".env alone",
      { ".env": 'export API_SERVER_ENABLED="true"\nAPI_SERVER_KEY=abc # mine\nAPI_SERVER_PORT=9001\n' },
      9001,
    ],
    [
      "config.yaml alone",
      { "config.yaml": "platforms:\n  api_server:\n    enabled: true\n    extra:\n      key: abc\n" },
      8642,
    ],
    [
      "the newer block",
      { "config.yaml": "gateway:\n  api_server:\n    enabled: true\n    key: abc\n    port: 9002\n" },
      9002,
    ],
    [
      "variables before the file",
      {
        ".env": "API_SERVER_PORT=9003\nAPI_SERVER_HOST=0.0.0.0\n",
        "config.yaml": "gateway:\n  api_server: {enabled: true, key: abc, port: 1}\n",
      },
      9003,
    ],
  ])("is found in Hermes' own files: %s", (_name, files, port) => {
    expect(findApiServer(homeWith(files), {})).toEqual({ url: `http://127.0.0.1:${port}`, key: "abc" });
  });

  it.each([
    ["nothing there", {}],
    ["not enabled", { ".env": "API_SERVER_KEY=abc\n" }],
    ["switched off", { ".env": "API_SERVER_ENABLED=false\nAPI_SERVER_KEY=abc\n" }],
    ["broken yaml", { "config.yaml": "gateway: [\n" }],
  ])("is nowhere: %s", (_name, files) => {
    expect(findApiServer(homeWith(files), {})).toBeUndefined();
    expect(findApiServer(undefined, {})).toBeUndefined();
  });
});

describe("the way in", () => {
  const turnsNamed = (way: "platform" | "api-server", log: string[]): AgentTurns => ({
    ...noTurns,
    way,
    run: async () => {
      log.push(`run ${way}`);
      return { outcome: "completed", text: way };
    },
    stop: async () => {
      log.push(`stop ${way}`);
      return true;
    },
  });

  it("is the platform while it is connected, else the API server, else none", async () => {
    const log: string[] = [];
    let connected = true;
    const api = turnsNamed("api-server", log);
    const turns = chooseTurns({ platform: { turns: turnsNamed("platform", log), connected: () => connected }, api });
    expect(turns.way).toBe("platform");
    await turns.run(aTurn("a"), () => {});
    connected = false;
    expect(turns.way).toBe("api-server");
    await turns.run(aTurn("b"), () => {});
    expect(log).toEqual(["run platform", "run api-server"]);
    expect(chooseTurns({}).way).toBe("none");
    await expect(chooseTurns({}).run(aTurn("c"), () => {})).rejects.toMatchObject({ code: "unavailable" });
  });

  it("of a running turn stays the one it was begun on", async () => {
    const log: string[] = [];
    let connected = true;
    let end: (() => void) | undefined;
    const slow: AgentTurns = {
      ...turnsNamed("platform", log),
      run: () => new Promise((resolve) => (end = () => resolve({ outcome: "completed", text: "" }))),
    };
    const turns = chooseTurns({
      platform: { turns: slow, connected: () => connected },
      api: turnsNamed("api-server", log),
    });
    const request = aTurn("a");
    const running = turns.run(request, () => {});
    connected = false;
    await turns.stop(request.turnId);
    expect(log).toEqual(["stop platform"]);
    end?.();
    await running;
  });
});
