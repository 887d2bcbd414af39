import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { doctor } from "../../src/cli/doctor/doctor.ts";
import type { Finding } from "../../src/cli/doctor/finding.ts";
import { presentFindings } from "../../src/cli/doctor/present-findings.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { loadSqlite } from "../../src/engine/load-sqlite.ts";
import { migrate } from "../../src/engine/migrate.ts";
import { installPlugin } from "../../src/hermes-bridge/install-plugin.ts";
import { projectRoot } from "../../src/project-root.ts";
import { textsFor } from "../../src/text/pick.ts";
import { createStateDb } from "../helpers/hermes-home.ts";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";

let folder: string;
const open: (() => Promise<unknown> | unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "herald-doctor-"));
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

const NODE = "22.16.0";
/** The stand-in answers with this machine's clock in the head of its answers. */
const now = (): Date => new Date();

/** A set-up in which nothing is wrong: a migrated database with an owner, a Hermes with our plugin, a bot with all it needs. */
async function sound(change: Record<string, string> = {}, app: Partial<TestPlatform["app"]> = {}): Promise<Config> {
  const platform = await startTestPlatform({ app: { ...freshApp(), ...app } });
  open.push(() => platform.close());
  const home = join(folder, "hermes");
  mkdirSync(home);
  createStateDb(join(home, "state.db")).close();
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const { config } = readConfig({
    env: {
      FEISHU_APP_ID: platform.app.appId,
      FEISHU_APP_SECRET: platform.app.appSecret,
      FEISHU_DOMAIN: platform.url,
      HERALD_DATA_DIR: dataDir,
      HERMES_HOME: home,
      HERALD_LANGUAGE: "zh",
      ...change,
    },
    cwd: folder,
    home: folder,
    hostZone: "Asia/Shanghai",
  });
  return config;
}

let apps = 0;
function freshApp(): TestPlatform["app"] {
  apps += 1;
  return {
    appId: `cli_${String(apps).padStart(16, "0")}`,
    appSecret: "s".repeat(32),
    verificationToken: "v".repeat(32),
  };
}

function plugin(config: Config): void {
  installPlugin({
    source: join(projectRoot, "src", "hermes-bridge", "plugin", "herald"),
    home: config.hermes.home,
    settings: { url: "http://127.0.0.1:9", token: "t".repeat(24) },
    tools: [],
    now: new Date(),
  });
}

async function server(answer: RequestListener): Promise<string> {
  const http = createServer(answer);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  open.push(() => new Promise((resolve) => http.close(resolve)));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

const trouble = (findings: readonly Finding[]): string[] =>
  findings.flatMap((finding) => ("problem" in finding ? [`${finding.state} ${finding.problem}`] : []));
const look = async (config: Config): Promise<string[]> => trouble(await doctor(config, NODE, now));

describe("the doctor", () => {
  test("finds nothing that keeps a sound set-up from working, and changes nothing in it", async () => {
    const config = await sound();
    plugin(config);
    const findings = await doctor(config, NODE, now);
    expect(trouble(findings)).toEqual(["warn noModel"]);
    expect(findings.filter((finding) => finding.state === "ok").map((finding) => finding.check)).toEqual(
      expect.arrayContaining([
        "feishu",
        "bot",
        "scopes",
        "callbacks",
        "clock",
        "hermes",
        "store",
        "plugin",
        "database",
      ]),
    );
  });

  test.each<[string, () => Promise<Config>, string]>([
    ["a wrong secret", () => sound({ FEISHU_APP_SECRET: "x".repeat(32) }), "fail feishuRefused"],
    ["a platform that is not there", () => sound({ FEISHU_DOMAIN: "http://127.0.0.1:9" }), "fail feishuAway"],
    ["an app without a bot", () => sound({}, { bot: false }), "fail noBot"],
    ["permissions nobody granted", () => sound({}, { scopes: ["im:message:send_as_bot"] }), "fail scopesMissing"],
    ["no event subscribed", () => sound({}, { events: [] }), "fail noEvent"],
    ["the second tab forgotten", () => sound({}, { callbacks: [] }), "fail noCallback"],
    ["no Hermes", () => sound({ HERMES_HOME: "./nowhere" }), "fail noHermes"],
    [
      "no Hermes where nothing but the playground is set up",
      async () => {
        const { feishu, ...playground } = await sound({ HERMES_HOME: "./nowhere" });
        expect(feishu).toBeDefined();
        return playground;
      },
      "warn noHermes",
    ],
    ["an API server that is not running", () => sound({ HERMES_API_URL: "http://127.0.0.1:9" }), "fail apiAway"],
    [
      "a model that is not there",
      () => sound({ LLM_BASE_URL: "http://127.0.0.1:9/v1", LLM_MODEL: "m" }),
      "fail modelAway",
    ],
    [
      "a database elsewhere that does not answer",
      () => sound({ DATABASE_URL: "postgresql://a:b@127.0.0.1:9/x" }),
      "fail databaseAway",
    ],
  ])("names %s", async (_name, broken, expected) => {
    expect(await look(await broken())).toContain(expected);
  });

  test("names Hermes' own adapter on the same app, and the file where it stands", async () => {
    const config = await sound();
    writeFileSync(join(config.hermes.home, ".env"), `# x\nexport FEISHU_APP_ID="${config.feishu?.appId}"\n`);
    const findings = await doctor(config, NODE, now);
    expect(trouble(findings)).toContain("fail sameApp");
    expect(presentFindings(findings, textsFor("zh").doctor).join("\n")).toContain(join(config.hermes.home, ".env"));
  });

  test("names an API server that lets everybody in, without sending it the key", async () => {
    const seen: (string | undefined)[] = [];
    const url = await server((request, response) => {
      seen.push(request.headers.authorization);
      response.setHeader("content-type", "application/json");
      response.end("{}");
    });
    const config = await sound({ HERMES_API_URL: url, HERMES_API_KEY: "secret-key" });
    expect(await look(config)).toContain("fail apiOpen");
    expect(seen.filter((header) => header !== undefined)).toEqual([]);
  });

  test.each([
    ["a wrong key", 401, "fail apiKey"],
    ["the right key", 200, undefined],
  ])("tells %s of the API server", async (_name, status, expected) => {
    const url = await server((request, response) => {
      response.statusCode = request.url === "/health" ? 200 : request.headers.authorization ? status : 401;
      response.end("{}");
    });
    const found = await look(await sound({ HERMES_API_URL: url, HERMES_API_KEY: "k" }));
    expect(found.filter((each) => each.includes("api"))).toEqual(expected === undefined ? [] : [expected]);
  });

  test("names a damaged database, a stranger's and a newer one, and leaves each as it is", async () => {
    const config = await sound();
    const path = join(config.dataDir, "herald.db");
    writeFileSync(path, "this is no database, and long enough to be looked at as one".repeat(20));
    expect(await look(config)).toContain("fail databaseDamaged");
    rmSync(path);
    const { DatabaseSync } = loadSqlite();
    const theirs = new DatabaseSync(path);
    theirs.exec("CREATE TABLE theirs (x)");
    theirs.close();
    expect(await look(config)).toContain("fail databaseForeign");
    rmSync(path);
    await migrate(config.databaseUrl, { now: new Date() });
    const ours = new DatabaseSync(path);
    ours.exec(
      `INSERT INTO "_prisma_migrations" ("id","checksum","migration_name","started_at") VALUES ('x','x','29990101000000_future',0)`,
    );
    ours.close();
    expect(await look(config)).toContain("fail databaseNewer");
  });

  test("names a missing owner, a damaged session store, a plugin switched off, a folder others can read, an old Node", async () => {
    const config = await sound();
    await migrate(config.databaseUrl, { now: new Date() });
    // Its write-ahead log would still hold the pages.
    for (const end of ["", "-wal", "-shm"]) rmSync(join(config.hermes.home, `state.db${end}`), { force: true });
    writeFileSync(join(config.hermes.home, "state.db"), "no store".repeat(1_000));
    plugin(config);
    writeFileSync(join(config.hermes.home, "config.yaml"), "plugins:\n  enabled: [herald]\n  disabled: [herald]\n");
    chmodSync(config.dataDir, 0o755);
    expect(trouble(await doctor(config, "18.20.0", now))).toEqual(
      expect.arrayContaining([
        "fail noOwner",
        "fail storeDamaged",
        "fail pluginOff",
        "warn folderOpen",
        "fail nodeOld",
      ]),
    );
  });

  test("names a clock that is off", async () => {
    const config = await sound();
    const late = (): Date => new Date(Date.now() + 10 * 60_000);
    expect(trouble(await doctor(config, NODE, late))).toContain("fail clockOff");
  });

  test("says for each finding what to do, in both languages, and shows no secret", async () => {
    const config = await sound({
      LLM_BASE_URL: "http://127.0.0.1:9/v1",
      LLM_MODEL: "m",
      LLM_API_KEY: "sk-very-secret-1234567890",
    });
    const findings = await doctor(config, NODE, now);
    for (const language of ["zh", "en"] as const) {
      const text = presentFindings(findings, textsFor(language).doctor).join("\n");
      expect(text.match(/→/g)?.length).toBe(trouble(findings).length);
      expect(text).not.toContain("sk-very-secret");
      expect(text).not.toContain(config.feishu?.appSecret ?? "-");
    }
  });
});
