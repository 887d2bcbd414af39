import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The system's browser, or undefined after saying clearly that what needs one is left out. */
export async function openBrowser(): Promise<Browser | undefined> {
  const executablePath = PLACES.find((place) => existsSync(place));
  if (!executablePath) {
    console.warn(`No Chromium found (looked for ${PLACES.join(", ")}): the playground's browser tests are left out.`);
    return undefined;
  }
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}
