import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { VARIABLES } from "../src/config-schema.ts";
import { projectRoot } from "../src/project-root.ts";

const read = (name: string): string => readFileSync(join(projectRoot, name), "utf8");
const container = read("deploy/Containerfile");
const unit = read("deploy/herald.service");
const packageJson = JSON.parse(read("package.json")) as {
  dependencies: Record<string, string>;
  engines: { node: string };
};

describe("the container file", () => {
  test("copies only what exists and is not ignored, and everything the program is started from", () => {
    const copied = [...container.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) =>
      (match[1] ?? "").split(" "),
    );
    const ignored = read(".dockerignore").split("\n").filter(Boolean);
    expect(copied.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
    expect(copied.filter((path) => ignored.includes(path))).toEqual([]);
    expect(copied).toEqual(expect.arrayContaining(["bin", "src", "prisma", "package.json"]));
    expect(ignored).toEqual(expect.arrayContaining([".env*", "data", "node_modules"]));
  });

  test("runs as nobody special, in two stages, with a health check of a path the server has", () => {
    expect(container.match(/^FROM /gm)).toHaveLength(2);
    expect(container.lastIndexOf("\nUSER node")).toBeGreaterThan(container.lastIndexOf("\nFROM "));
    expect(container.indexOf("\nUSER node")).toBeLessThan(container.indexOf("\nCMD "));
    expect(container).toMatch(/HEALTHCHECK[\s\S]*\/healthz/);
    expect(read("src/bot/server.ts")).toContain('"/healthz"');
    expect(container).not.toMatch(/:latest|ADD https?:/);
  });

  test("brings what starting needs: the bundler is no development dependency", () => {
    expect(Object.keys(packageJson.dependencies)).toContain("esbuild");
    const node = /node:(\d+)-/.exec(container)?.[1];
    expect(packageJson.engines.node).toContain(node);
  });
});

describe("the systemd unit", () => {
  test("starts what exists, stays down after a refused configuration, and has time to end its work", () => {
    const start = /^ExecStart=.* node (\S+) start$/m.exec(unit)?.[1] ?? "";
    expect(existsSync(join(projectRoot, start))).toBe(true);
    expect(unit).toMatch(/^RestartPreventExitStatus=2$/m);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(25);
  });

  test("gives up every right it does not need", () => {
    for (const line of [
      "NoNewPrivileges=yes",
      "ProtectSystem=strict",
      "PrivateTmp=yes",
      "CapabilityBoundingSet=",
      "UMask=0077",
    ]) {
      expect(unit.split("\n")).toContain(line);
    }
  });
});

test("both set only variables there are", () => {
  const named = [
    ...container.matchAll(/\b((?:HERALD|HERMES|FEISHU|LLM)_[A-Z_]+)/g),
    ...unit.matchAll(/\b((?:HERALD|HERMES|FEISHU|LLM)_[A-Z_]+)/g),
  ].map((match) => match[1]);
  expect(named.filter((name) => !VARIABLES.some((known) => known === name))).toEqual([]);
});
