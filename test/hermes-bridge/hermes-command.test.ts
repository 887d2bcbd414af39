import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hermesInstall, hermesStatus, hermesUninstall } from "../../src/cli/hermes.ts";
import { hermesAnnounce } from "../../src/cli/hermes-announce.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { makeConfiguredOwner } from "../../src/engine/people/pair-owner.ts";
import { readSettings } from "../../src/engine/settings.ts";
import { bridgeToken } from "../../src/hermes-bridge/bridge-token.ts";
import { keepBridgeUrl } from "../../src/hermes-bridge/bridge-url.ts";
import { openScope } from "../../src/open-scope.ts";
import { processClock } from "../../src/process-clock.ts";
import { testLog } from "../helpers/test-log.ts";

let folder: string;
let home: string;
let config: Config;
const servers: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "herald-hermes-"));
  home = join(folder, "hermes");
  config = configWith({});
});
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

function configWith(env: Record<string, string>): Config {
  // Nothing listens on the discard port.
  const base = { HERALD_DATA_DIR: join(folder, "data"), HERMES_HOME: home, HERALD_PORT: "9", HERALD_LANGUAGE: "en" };
  return readConfig({ env: { ...base, ...env }, cwd: folder, home: folder, hostZone: "UTC" }).config;
}

/** Something that answers `status` to whoever has the token and 401 to others; returns its address. */
async function listening(token: string, answer: unknown): Promise<string> {
  const server = createServer((request, response) => {
    const known = request.headers.authorization === `Bearer ${token}`;
    response.statusCode = known ? 200 : 401;
    response.end(JSON.stringify(known ? answer : {}));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const herald = (): Promise<string> => listening(bridgeToken(config.dataDir, undefined), { ok: true, version: "x" });
const status = async (): Promise<string> => {
  const { ok, lines } = await hermesStatus(config, undefined);
  return `${ok} ${lines.join("\n")}`;
};

describe("herald hermes", () => {
  it("in a playground without Hermes says that there is none, and makes nothing", async () => {
    expect(await status()).toMatch(/^false No Hermes found.*\n.*sample sessions/);
    for (const act of [hermesInstall, hermesUninstall]) {
      const answer = await act(config, undefined);
      expect(answer.ok).toBe(false);
      expect(answer.lines.join("\n")).toMatch(/No Hermes found.*herald hermes install --home/);
    }
    expect(() => readFileSync(join(home, "config.yaml"))).toThrow();
  });

  it("tells the plugin of the server that runs, else of the configured one", async () => {
    mkdirSync(home);
    expect((await hermesInstall(config, undefined)).lines.join("\n")).toContain("http://127.0.0.1:9.");
    const url = await herald();
    keepBridgeUrl(config.dataDir, url);
    expect((await hermesInstall(config, undefined)).lines.join("\n")).toContain(url);
    const again = await hermesInstall(config, undefined);
    expect(again.ok).toBe(true);
    expect(again.lines.join("\n")).not.toMatch(/Restart|as it was/);
  });

  it("every state is told as it is", async () => {
    mkdirSync(home);
    expect(await status()).toMatch(/^false .*\nPlugin: not installed.*\nEnabled: no/);
    await hermesInstall(config, undefined);
    expect(await status()).toMatch(
      /^false .*\nPlugin: 0.*this release's\nEnabled: yes\nHerald: .*:9, not reachable now: is/,
    );

    const url = await herald();
    keepBridgeUrl(config.dataDir, url);
    await hermesInstall(config, undefined);
    expect(await status()).toMatch(/^true .*\nHerald: .*reachable, the token fits/s);

    const settings = join(home, "plugins", "herald", "herald.json");
    const told = (facts: object): void => writeFileSync(settings, JSON.stringify(facts));
    told({ url, token: "not-the-token-at-all" });
    expect(await status()).toMatch(/^false .*the token differs/s);
    told({ url: "http://127.0.0.1:9", token: "not-the-token-at-all" });
    expect(await status()).toMatch(/^false .*not reachable now, and the token is not the present one/s);
    told({ url: await listening("some-other-program", { hi: 1 }), token: "some-other-program" });
    expect(await status()).toMatch(/^false .*it is not Herald/s);
    writeFileSync(settings, "{half");
    expect(await status()).toMatch(/^false .*does not know where Herald is/s);

    writeFileSync(join(home, "config.yaml"), "plugins:\n  enabled: [herald]\n  disabled: [herald]\n");
    expect(await status()).toMatch(/^false .*Enabled: no: plugins.disabled/s);
    writeFileSync(join(home, "config.yaml"), "plugins: [\n");
    expect(await status()).toMatch(/^false .*Enabled: config.yaml cannot be read/s);
    expect(JSON.stringify(await hermesStatus(config, undefined))).not.toContain(bridgeToken(config.dataDir, undefined));
  });

  it.each<[string, Record<string, string>, RegExp]>([
    [
      "an address of one network card",
      { HERALD_HOST: "192.168.1.7" },
      /listens on 192\.168\.1\.7.*HERALD_HOST=127\.0\.0\.1/,
    ],
    ["a port that changes", { HERALD_PORT: "0" }, /HERALD_PORT=0.*start Herald first/],
  ])("refuses to install for %s with one line that says what to set", async (_, env, words) => {
    mkdirSync(home);
    const { ok, lines } = await hermesInstall(configWith(env), undefined);
    expect([ok, lines.length]).toEqual([false, 1]);
    expect(lines[0]).toMatch(words);
  });

  it("a broken config.yaml is one line with the place, in either language", async () => {
    mkdirSync(home);
    writeFileSync(join(home, "config.yaml"), 'a: 1\nb: "open\n');
    expect((await hermesInstall(config, undefined)).lines).toEqual([
      expect.stringMatching(/config\.yaml line \d+ cannot be read \(.*\); nothing was changed\./),
    ]);
    expect((await hermesInstall(configWith({ HERALD_LANGUAGE: "zh" }), undefined)).lines).toEqual([
      expect.stringMatching(/第 \d+ 行读不懂（.*），什么都没有改/),
    ]);
  });

  it("switches the second section off and on, once somebody owns the agent", async () => {
    mkdirSync(home);
    expect(await hermesAnnounce(config, "maybe")).toEqual({
      ok: false,
      lines: [expect.stringMatching(/expected on or off/)],
    });
    expect(await hermesAnnounce(config, "off")).toEqual({ ok: false, lines: [expect.stringMatching(/no owner yet/)] });
    const log = testLog();
    const { scope, close } = await openScope(config, { clock: processClock(), log, hermesHome: undefined });
    try {
      await makeConfiguredOwner(scope, "ou_owner");
      expect((await hermesAnnounce(config, "off")).ok).toBe(true);
      expect((await readSettings(scope)).announceWork).toBe(false);
      expect((await hermesAnnounce(config, "on")).ok).toBe(true);
      expect((await readSettings(scope)).announceWork).toBe(true);
    } finally {
      await close();
    }
  });

  it("a folder given on the command line is meant instead of the configured one", async () => {
    const other = join(folder, "other");
    mkdirSync(other);
    expect((await hermesInstall(config, other)).ok).toBe(true);
    expect(readFileSync(join(other, "config.yaml"), "utf8")).toMatch(
      /^plugins:\n {2}enabled:\n {4}- herald\ndisplay:\n/,
    );
    const gone = await hermesUninstall(config, other);
    expect(gone.lines.join("\n")).toMatch(/taken away.*\n.*line in config.yaml is gone/);
    expect((await hermesUninstall(config, other)).lines.join("\n")).toMatch(/was not installed/);
  });
});
