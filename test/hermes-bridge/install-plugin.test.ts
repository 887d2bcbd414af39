import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { bridgeToken } from "../../src/hermes-bridge/bridge-token.ts";
import { bridgeUrl } from "../../src/hermes-bridge/bridge-url.ts";
import {
  InstallRefused,
  installPlugin,
  pluginStatus,
  uninstallPlugin,
} from "../../src/hermes-bridge/install-plugin.ts";
import { addToList, takeFromList } from "../../src/hermes-bridge/list-in-config.ts";
import { toolSchemas } from "../../src/hermes-bridge/tools.ts";
import { projectRoot } from "../../src/project-root.ts";
import { VERSION } from "../../src/version.ts";

const source = join(projectRoot, "src", "hermes-bridge", "plugin", "herald");
const settings = { url: "http://127.0.0.1:8686", token: "a-token-of-some-length" };
const now = new Date("2026-11-30T08:00:00.123Z");
const later = new Date("2026-11-30T09:00:00.000Z");

/** The sort of file people have: comments, odd spacing, quotes, long lines. */
const CONFIG = `# My Hermes, do not lose these notes
model:   anthropic/claude   # the good one
agent:
    max_turns: 90
    personality: "a very long line that a careless writer would fold in two because it is longer than eighty characters, which hurts"

plugins:
  # what I really use
  enabled:
  - spotify      # music
  - disk-cleanup
  entries: {spotify: {volume: 0x1F}}
# the end
`;

/** How Hermes is to speak on Herald's platform. */
const DISPLAY = { streaming: true, tool_progress: "off", long_running_notifications: false, busy_ack_detail: false };
const DISPLAY_LINES = `display:
  platforms:
    herald:
      streaming: true
      tool_progress: "off"
      long_running_notifications: false
      busy_ack_detail: false
`;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "herald-home-"));
  writeFileSync(join(home, "config.yaml"), CONFIG, { mode: 0o640 });
  writeFileSync(join(home, "SOUL.md"), "not ours");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const install = (at = now, more: Partial<Parameters<typeof installPlugin>[0]> = {}) =>
  installPlugin({ source, home, settings, tools: toolSchemas(), now: at, ...more });
const read = (...path: string[]): string => readFileSync(join(home, ...path), "utf8");
const mode = (...path: string[]): number => statSync(join(home, ...path)).mode & 0o777;
/** Every file of the home with its text and mode. */
const snapshot = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(home, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(home, name)).isFile())
      .map((name) => [name, `${mode(name).toString(8)} ${read(name)}`]),
  );

describe("putting the plugin into a home", () => {
  it("copies it, tells it where Herald is, enables it, and touches nothing else", () => {
    const before = snapshot();
    const result = install();
    expect(result).toEqual({
      plugin: "installed",
      config: "enabled",
      backup: join(home, "config.yaml.bak.20261130T080000123Z"),
    });
    for (const name of readdirSync(source).filter((each) => each !== "__pycache__")) {
      expect(read("plugins", "herald", name)).toBe(readFileSync(join(source, name), "utf8"));
    }
    expect(JSON.parse(read("plugins", "herald", "herald.json"))).toEqual(settings);
    expect(mode("plugins", "herald", "herald.json")).toBe(0o600);
    expect(JSON.parse(read("plugins", "herald", "tools.json")).tools[0].name).toBe("tracking_manage");
    expect(read("config.yaml")).toBe(
      CONFIG.replace("  - disk-cleanup\n", "  - disk-cleanup\n  - herald\n") + DISPLAY_LINES,
    );
    expect(mode("config.yaml")).toBe(0o640);
    expect(read("config.yaml.bak.20261130T080000123Z")).toBe(CONFIG);
    const others = Object.entries(snapshot()).filter(([name]) => !/^(plugins\/herald\/|config\.yaml)/.test(name));
    expect(others).toEqual(Object.entries(before).filter(([name]) => name !== "config.yaml"));
  });

  it("twice is once: the second time changes nothing and makes no copy", () => {
    install();
    const before = snapshot();
    expect(install(later)).toEqual({ plugin: "same", config: "same" });
    expect(snapshot()).toEqual(before);
  });

  it("another release or another token replaces the folder whole", () => {
    install();
    writeFileSync(join(home, "plugins", "herald", "left_over.py"), "old");
    expect(install(later).plugin).toBe("updated");
    expect(existsSync(join(home, "plugins", "herald", "left_over.py"))).toBe(false);
    const token = "another-token-altogether";
    expect(install(later, { settings: { ...settings, token } }).plugin).toBe("updated");
    expect(JSON.parse(read("plugins", "herald", "herald.json")).token).toBe(token);
    expect(readdirSync(home).filter((name) => name.startsWith(".herald"))).toEqual([]);
  });

  it("a home without a config.yaml gets one that says only this", () => {
    rmSync(join(home, "config.yaml"));
    expect(install()).toEqual({ plugin: "installed", config: "enabled" });
    expect(parse(read("config.yaml"))).toEqual({
      plugins: { enabled: ["herald"] },
      display: { platforms: { herald: DISPLAY } },
    });
    uninstallPlugin({ home, now: later });
    expect(read("config.yaml")).toBe("");
  });

  it("a config.yaml that is a link stays one", () => {
    const elsewhere = join(home, "dotfiles.yaml");
    writeFileSync(elsewhere, CONFIG);
    rmSync(join(home, "config.yaml"));
    symlinkSync(elsewhere, join(home, "config.yaml"));
    install();
    expect(realpathSync(join(home, "config.yaml"))).toBe(realpathSync(elsewhere));
    expect(parse(readFileSync(elsewhere, "utf8")).plugins.enabled).toContain("herald");
  });

  it.each([
    ["a tab for spaces", "plugins:\n\tenabled: [a]\n", 2],
    ["a quote left open", 'a: 1\nb: "x\n', 2],
    ["the same name twice", "a: 1\na: 2\n", 2],
    ["a list for a mapping", "plugins: [a]\n", undefined],
    ["a word for a list", "plugins:\n  enabled: spotify\n", undefined],
    ["two documents", "a: 1\n---\nb: 2\n", 2],
  ])("a config.yaml with %s is refused before anything is written", (_, text, line) => {
    writeFileSync(join(home, "config.yaml"), text);
    const before = snapshot();
    for (const act of [() => install(), () => uninstallPlugin({ home, now })]) {
      try {
        act();
        expect.unreachable();
      } catch (error) {
        if (!(error instanceof InstallRefused)) throw error;
        expect(error.refusal).toMatchObject({ why: "broken_config", file: join(home, "config.yaml") });
        if (line !== undefined) expect(error.refusal).toMatchObject({ line: expect.any(Number) });
      }
    }
    expect(snapshot()).toEqual(before);
    expect(pluginStatus({ source, home }).enabled).toBe("broken");
  });

  it("somebody else's plugin of that name is left alone", () => {
    mkdirSync(join(home, "plugins", "herald"), { recursive: true });
    writeFileSync(join(home, "plugins", "herald", "plugin.yaml"), "name: herald\nauthor: Someone\n");
    const before = snapshot();
    expect(() => install()).toThrow(InstallRefused);
    expect(() => uninstallPlugin({ home, now })).toThrow(InstallRefused);
    expect(snapshot()).toEqual(before);
    expect(pluginStatus({ source, home }).plugin).toBe("somebody_elses");
  });

  it("what goes wrong on the way leaves the home as it was", () => {
    // Nothing can be put into plugins/ when that is a file.
    writeFileSync(join(home, "plugins"), "");
    const before = snapshot();
    expect(() => install()).toThrow();
    expect(snapshot()).toEqual(before);
    expect(readdirSync(home).filter((name) => name.startsWith(".herald"))).toEqual([]);
  });

  it("a home that does not exist is refused", () => {
    expect(() => install(now, { home: join(home, "nowhere") })).toThrow(InstallRefused);
    expect(existsSync(join(home, "nowhere"))).toBe(false);
  });
});

describe("taking it away", () => {
  it("leaves the home as it was, but for the copies", () => {
    const before = snapshot();
    install();
    expect(uninstallPlugin({ home, now: later })).toMatchObject({ plugin: "removed", config: "changed" });
    const copies = /\.bak\./;
    expect(Object.entries(snapshot()).filter(([name]) => !copies.test(name))).toEqual(Object.entries(before));
    expect(uninstallPlugin({ home, now: later })).toEqual({ plugin: "none", config: "same" });
  });
});

describe("taking the plugin out of a home", () => {
  it("takes what it had kept for Herald along", () => {
    install();
    mkdirSync(join(home, "herald-platform"));
    writeFileSync(join(home, "herald-platform", "spool.db"), "kept");
    install(later);
    expect(existsSync(join(home, "herald-platform", "spool.db"))).toBe(true);
    uninstallPlugin({ home, now: later });
    expect(existsSync(join(home, "herald-platform"))).toBe(false);
    expect(read("config.yaml")).toBe(CONFIG);
  });
});

describe("how it stands", () => {
  it("is told truly at every step", () => {
    expect(pluginStatus({ source, home: join(home, "nowhere") }).plugin).toBeUndefined();
    expect(pluginStatus({ source, home })).toEqual({ plugin: "none", enabled: "no" });
    install();
    expect(pluginStatus({ source, home })).toEqual({
      plugin: { version: VERSION, same: true },
      enabled: "yes",
      settings,
    });
    writeFileSync(join(home, "plugins", "herald", "bridge.py"), "# changed by hand");
    expect(pluginStatus({ source, home }).plugin).toEqual({ version: VERSION, same: false });
    writeFileSync(join(home, "config.yaml"), "plugins: {enabled: [herald], disabled: [herald]}\n");
    expect(pluginStatus({ source, home }).enabled).toBe("disabled");
    install();
    expect(parse(read("config.yaml"))).toEqual({
      plugins: { enabled: ["herald"], disabled: [] },
      display: { platforms: { herald: DISPLAY } },
    });
    expect(pluginStatus({ source, home }).enabled).toBe("yes");
  });
});

describe("the line of config.yaml", () => {
  const texts: [string, string][] = [
    ["nothing", ""],
    ["comments only", "# nothing here yet\n"],
    ["no plugins", "model: x # y\n"],
    ["no line break at the end", "model: x"],
    ["Windows line ends", "model: x\r\nplugins:\r\n  enabled:\r\n    - a\r\n"],
    ["plugins without the list", "plugins:\n    # mine\n    entries:\n        a: {b: 1}\n"],
    ["a list in a line", "plugins:\n  enabled: [a, 'b']   # both\nx: 1\n"],
    ["an empty list in a line", "plugins:\n  enabled: []\nx: 1\n"],
    ["a list that ends the file", "plugins:\n  enabled:\n    - a"],
    ["a list at the indent of its name", "plugins:\n  enabled:\n  - a\n  - b # c\n\n# end\nx: 1\n"],
    ["quoted names and blank lines", 'x: 1\n\nplugins:\n\n  enabled:\n\n    - "a"\n\n    - b\n\n  disabled: []\n'],
    ["everything in one line", "{plugins: {enabled: [a]}, x: 1}\n"],
  ];

  it.each(texts)("with %s: what it says besides stays, and taking it away gives the same bytes", (_, text) => {
    const added = addToList(text, "enabled", "herald");
    if (added.outcome !== "edited") return expect.unreachable();
    const before = parse(text) ?? {};
    const enabled = [...(before.plugins?.enabled ?? []), "herald"];
    expect(parse(added.text)).toEqual({ ...before, plugins: { ...before.plugins, enabled } });
    expect(addToList(added.text, "enabled", "herald")).toEqual({ outcome: "unchanged" });
    const taken = takeFromList(added.text, "enabled", "herald");
    if (taken.outcome !== "edited") return expect.unreachable();
    // A line break that the last line lacked may stay.
    expect(taken.text.replace(/\n$/, "")).toBe(text.replace(/\n$/, ""));
  });

  it.each([
    ["plugins:\n", { plugins: { enabled: ["herald"] } }],
    ["plugins:\n  enabled:\n  x: 1\n", { plugins: { enabled: ["herald"], x: 1 } }],
    ["plugins: {}\n", { plugins: { enabled: ["herald"] } }],
    ["{}\n", { plugins: { enabled: ["herald"] } }],
  ])("%j gets it too", (text, meaning) => {
    const added = addToList(text, "enabled", "herald");
    expect(added.outcome === "edited" && parse(added.text)).toEqual(meaning);
  });

  it("a comment between the names keeps its place when the last entry goes", () => {
    const taken = takeFromList("plugins:\n  # mine\n  enabled:\n    - herald\n", "enabled", "herald");
    expect(taken.outcome === "edited" && taken.text).toContain("# mine");
    expect(takeFromList("x: 1\n", "enabled", "herald")).toEqual({ outcome: "unchanged" });
  });
});

describe("the shared secret", () => {
  it("is made once, readable by the owner only, unless one is configured", () => {
    const folder = join(home, "data");
    expect(bridgeToken(folder, "configured-token-abc")).toBe("configured-token-abc");
    expect(existsSync(folder)).toBe(false);
    const token = bridgeToken(folder, undefined);
    expect(token.length).toBeGreaterThanOrEqual(40);
    expect(bridgeToken(folder, undefined)).toBe(token);
    expect(readdirSync(folder)).toEqual(["bridge-token"]);
    expect(mode("data", "bridge-token")).toBe(0o600);
    writeFileSync(join(folder, "bridge-token"), "short");
    expect(() => bridgeToken(folder, undefined)).toThrow(/at least 16 characters/);
  });

  it.each([
    ["127.0.0.1", "http://127.0.0.1:1"],
    ["0.0.0.0", "http://127.0.0.1:1"],
    ["::", "http://127.0.0.1:1"],
    ["::1", "http://[::1]:1"],
    ["localhost", "http://localhost:1"],
    ["192.168.1.7", undefined],
    ["example.org", undefined],
  ])("never leaves the machine: a server on %s is reached at %s", (host, url) => {
    expect(bridgeUrl(host, 1)).toBe(url);
  });
});
