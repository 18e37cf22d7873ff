import { Client } from '../process/client';
import { Platform } from '../process/platform';
import { type Service, type ServiceOptions, startService } from '../process/service';
import { freePort } from '../free-port';
import { ConsoleBrowser } from './browser';

/** The parts of a console suite. */
export interface ConsoleSetUp {
  service: Service;
  client: Client;
  browser: ConsoleBrowser;
}

const ends: (() => Promise<unknown>)[] = [];

/** Starts a service, its client and a browser. `afterAll(stopConsole)` stops them. */
export async function startConsole(options?: ServiceOptions): Promise<ConsoleSetUp> {
  const browser = await ConsoleBrowser.connect();
  ends.unshift(() => browser.close());
  const service = await startService(options);
  ends.unshift(
    () => service.stop(),
    () => service.store.drop(),
  );
  return { service, client: new Client(service), browser };
}

/** The same, with a platform that reports statuses and inbound messages. */
export async function startConsoleOnPlatform(): Promise<ConsoleSetUp & { platform: Platform }> {
  const platform = await Platform.start({ statusDelayMs: 20 });
  ends.unshift(() => platform.close());
  const port = await freePort();
  const env = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
  const started = await startConsole({ platformUrl: platform.url, env });
  await platform.subscribed();
  return { ...started, platform };
}

/** Stops what this suite started. */
export async function stopConsole(): Promise<void> {
  for (const end of ends.splice(0)) await end();
}
