import { createInterface } from 'node:readline/promises';
import type { MessagingClient } from '../client/messaging-client';
import { UsageError } from './exit-codes';
import { storedLogin } from './login-file';
import type { Output } from './output';

/** Options that every command takes. */
export interface GlobalOptions {
  url?: string;
  key?: string;
  json?: boolean;
  yes?: boolean;
}

/** An API key and what it comes from: flag, environment, login. */
export interface FoundKey {
  key: string;
  from: '--key' | 'MESSAGING_API_KEY' | 'login';
}

/** The API key that counts; null: there is none. */
export function foundKey({ key }: GlobalOptions): FoundKey | null {
  if (key) return { key, from: '--key' };
  const { MESSAGING_API_KEY } = process.env;
  if (MESSAGING_API_KEY) return { key: MESSAGING_API_KEY, from: 'MESSAGING_API_KEY' };
  const login = storedLogin();
  return login && { key: login.key, from: 'login' };
}

/** What a command works with. */
export class Session {
  constructor(
    readonly out: Output,
    readonly signal: AbortSignal,
    private readonly options: GlobalOptions,
  ) {}

  /** Where the service is: flag, environment, login. */
  get url(): string {
    const url = this.options.url || process.env.MESSAGING_URL || storedLogin()?.url;
    if (!url) throw new UsageError('Which service? Log in with `messaging login`, or set --url or MESSAGING_URL.');
    if (!URL.canParse(url)) throw new UsageError(`${url} is no URL: it must be like https://messaging.example.com.`);
    return url;
  }

  /** A client with the key of the flag, the environment or the login, over the global fetch or another one. */
  async client(fetch?: typeof globalThis.fetch): Promise<MessagingClient> {
    const found = foundKey(this.options);
    if (!found) throw new UsageError('No API key: log in with `messaging login`, or set MESSAGING_API_KEY.');
    return this.clientOf(this.url, found.key, fetch);
  }

  /** A client for any service and key; each wait for a limit is told. */
  async clientOf(baseUrl: string, apiKey: string, fetch?: typeof globalThis.fetch): Promise<MessagingClient> {
    const { MessagingClient } = await import('../client/messaging-client.js');
    const onRetry = ({ error, waitMs }: { error: Error & { code: string }; waitMs: number }) =>
      this.out.note(`Trying again in ${Math.ceil(waitMs / 1000)} s (${error.code}).`, 'dim');
    return new MessagingClient({ baseUrl, apiKey, retries: 3, onRetry, fetch });
  }

  /** Asks before something that cannot be taken back; `--yes` answers it. False: the person said no. */
  async confirmed(question: string): Promise<boolean> {
    if (this.options.yes) return true;
    if (!process.stdin.isTTY || this.out.json)
      throw new UsageError(`${question} Nobody is here to answer: say so with --yes.`);
    return /^y(es)?$/i.test((await this.asked(`${question} [y/N] `)).trim());
  }

  /** What a person types. */
  async asked(question: string): Promise<string> {
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await prompt.question(question, { signal: this.signal });
    } finally {
      prompt.close();
    }
  }
}

/** The first `count` of a list. */
export async function firstOf<T>(list: AsyncIterable<T>, count: number): Promise<T[]> {
  const found: T[] = [];
  for await (const item of list) {
    found.push(item);
    if (found.length >= count) break;
  }
  return found;
}
