import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { SandboxConfigChange } from '../../../libs/platform-sandbox/config';
import { type RunningSandbox, startSandbox } from '../../../libs/platform-sandbox/sandbox';
import { until } from './service';
import { FIRST_SENDER } from './webhook';

const ACCESS_TOKEN = 'sandbox-access-token';
const AUTHORIZED = { authorization: `Bearer ${ACCESS_TOKEN}` };
const SANDBOX_MAIN = resolve(__dirname, '../../../dist/libs/platform-sandbox/main.js');

/** A message that the platform accepted. */
export interface Accepted {
  seq: number;
  to: string;
  messageId: string;
  callbackData: string;
  template: string;
  parameters: string[];
  header?: unknown;
  payloads?: Record<string, string>;
  /** The header `traceparent` of the request. */
  traceparent?: string;
  at: string;
  phoneNumberId: string;
}

/** What the platform counted. */
export interface PlatformStats {
  arrivals: number;
  accepted: number;
  refused: Record<string, number>;
  /** How often each fault was simulated. */
  faults: Record<string, number>;
  maxArrivalsPerSecond: number;
  phoneNumbers: Record<string, { arrivals: number; accepted: number; maxArrivalsPerSecond: number }>;
  webhooks: { statusesWaiting: number; underWay: number; waitingForRetry: number };
}

/** The test's view of the platform: what it accepted, and how it behaves. */
export class Platform {
  private constructor(
    readonly url: string,
    private readonly end: () => Promise<void>,
  ) {}

  /** In this process. */
  static async start(config: SandboxConfigChange = {}, port = 0): Promise<Platform> {
    const sandbox: RunningSandbox = await startSandbox({ port, config });
    return new Platform(sandbox.url, () => sandbox.close());
  }

  /** In a separate process, whose timing is not disturbed by tests. */
  static async spawn(config: SandboxConfigChange = {}): Promise<Platform> {
    const child = spawn(process.execPath, [SANDBOX_MAIN], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, SANDBOX_PORT: '0' },
    });
    const url = await addressOf(child);
    const platform = new Platform(url, async () => {
      const closed = new Promise((done) => child.once('close', done));
      child.kill('SIGTERM');
      await closed;
    });
    await platform.configure(config);
    return platform;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Everything accepted after the entry `after`, in order. */
  async ledger(after = 0): Promise<Accepted[]> {
    return ((await this.read(`/sandbox/ledger?after=${after}`)) as { items: Accepted[] }).items;
  }

  /** The recipients of everything accepted, in order. */
  async accepted(): Promise<string[]> {
    return (await this.ledger()).map(({ to }) => to);
  }

  async stats(): Promise<PlatformStats> {
    return (await this.read('/sandbox/stats')) as PlatformStats;
  }

  /** The address to which it reports on a business account. */
  async subscriptions(businessAccountId: string): Promise<{ override_callback_uri?: string }[]> {
    const answer = (await this.read(subscribedApps(businessAccountId), AUTHORIZED)) as {
      data: { override_callback_uri?: string }[];
    };
    return answer.data;
  }

  /** Reports on the first business account to this address, which must confirm it. */
  async reportTo(url: string): Promise<void> {
    const answer = await fetch(this.url + subscribedApps(FIRST_SENDER.businessAccountId), {
      method: 'POST',
      headers: { ...AUTHORIZED, 'content-type': 'application/json' },
      body: JSON.stringify({ override_callback_uri: url, verify_token: 'of-another-service' }),
    });
    if (!answer.ok) throw new Error(`The sandbox refused the subscription: ${await answer.text()}`);
  }

  /** Resolves once it reports on the first business account to the service. */
  async subscribed(): Promise<void> {
    const isSubscribed = async () => (await this.subscriptions(FIRST_SENDER.businessAccountId)).length > 0;
    await until(isSubscribed, 20_000, 'the account is subscribed');
  }

  /** Changes its behaviour. */
  configure(change: SandboxConfigChange): Promise<void> {
    return this.tell('config', change);
  }

  /** Changes the state of a template, and reports it like the platform does. */
  changeTemplate(name: string, status: string): Promise<void> {
    return this.tell('templates', { name, status });
  }

  /** A person writes to the first sender. */
  receive(message: { from: string; type: string; content: object }): Promise<void> {
    return this.tell('inbound', message);
  }

  /** Reports a change of the first business account. */
  report(field: string, value: object): Promise<void> {
    return this.tell('webhooks', { field, value });
  }

  close(): Promise<void> {
    return this.end();
  }

  private async tell(path: string, change: object): Promise<void> {
    const answer = await fetch(`${this.url}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(change),
    });
    if (!answer.ok) throw new Error(`The sandbox refused the change: ${await answer.text()}`);
  }

  private async read(path: string, headers: Record<string, string> = {}): Promise<unknown> {
    return (await fetch(this.url + path, { headers })).json();
  }
}

function subscribedApps(businessAccountId: string): string {
  const proof = createHmac('sha256', FIRST_SENDER.appSecret).update(ACCESS_TOKEN).digest('hex');
  return `/v25.0/${businessAccountId}/subscribed_apps?appsecret_proof=${proof}`;
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    child.once('close', (code) => fail(new Error(`The sandbox ended with ${code}`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const url = /listens on (http:\/\/[^ ]+)/.exec(line)?.[1];
      if (url) done(url);
    });
  });
}
