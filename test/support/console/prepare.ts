import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type BrowserServer, chromium } from 'playwright-core';
import { setUp } from '../prepare';
import prepareService from '../process/prepare';

declare global {
  /** The browser of the run, closed by `teardown.ts`. */
  var consoleBrowser: BrowserServer | undefined;
}

/** Starts the browser of the run, and prepares the built service. */
export default async function prepare(): Promise<void> {
  const executablePath = chromiumPath();
  await prepareService();
  await setUp();
  globalThis.consoleBrowser = await chromium.launchServer({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--force-color-profile=srgb', '--lang=en-GB'],
  });
  process.env.CONSOLE_BROWSER = globalThis.consoleBrowser.wsEndpoint();
}

/** CHROMIUM_PATH, or the first Chromium on the PATH. */
function chromiumPath(): string {
  const named = process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter);
  // A complete Chromium also renders its own window for each page: a third more time for these tests.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
  const found = named ? [named] : folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const there = found.find(isProgram);
  if (there) return there;
  throw new Error(
    named
      ? `CHROMIUM_PATH names ${named}, which is no program.`
      : 'The tests of the console need Chromium: apt-get install chromium-headless-shell, or set CHROMIUM_PATH.',
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
