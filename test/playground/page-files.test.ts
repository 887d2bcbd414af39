import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  await platform.close();
});

describe("the page's files", () => {
  test("the address of the platform shows the page, and all it names is served from here", async () => {
    const response = await fetch(platform.url);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const html = await response.text();
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(named.length).toBeGreaterThan(1);
    for (const path of named) {
      expect(path).toMatch(/^\//);
      const file = await fetch(platform.url + path);
      expect([path, file.status]).toEqual([path, 200]);
      expect((await file.text()).length).toBeGreaterThan(0);
    }
  });

  test("script and style are one file each that fetches nothing from elsewhere", async () => {
    const script = await (await fetch(`${platform.url}/playground/main.js`)).text();
    const style = await (await fetch(`${platform.url}/playground/style.css`)).text();
    expect(script).not.toMatch(/^\s*import\b[^(]*from/m);
    expect(style).not.toMatch(/@import|url\(["']?(?:https?:)?\/\//);
  });

  test("nothing outside the page's folder is served", async () => {
    for (const path of [
      "/playground/../platform.ts",
      "/playground/%2e%2e/platform.ts",
      "/playground/main.ts",
      "/tsconfig.json",
      "/playground/style/base.css",
    ]) {
      expect([path, (await fetch(platform.url + path)).status]).toEqual([path, 404]);
    }
  });
});
