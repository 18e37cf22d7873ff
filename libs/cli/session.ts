import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { MessagingClient } from '../client/messaging-client';
import { Interrupted, UsageError } from './exit-codes';
import { storedLogin } from './login-file';
import type { Output } from './output';

/** Options that every command takes. */
export interface GlobalOptions {
  url?: string;
  key?: string;
  json?: boolean;
  yes?: boolean;
}

/** An API key with its source: flag, environment or login. */
export interface FoundKey {
  key: string;
  from: '--key' | 'MESSAGING_API_KEY' | 'login';
}

/** The API key in effect; null without one. */
export function foundKey({ key }: GlobalOptions): FoundKey | null {
  if (key) return { key, from: '--key' };
  const { MESSAGING_API_KEY } = process.env;
  if (MESSAGING_API_KEY) return { key: MESSAGING_API_KEY, from: 'MESSAGING_API_KEY' };
  const login = storedLogin();
  return login && { key: login.key, from: 'login' };
}

/** A URL that can be called; the URL parser takes `localhost:3000` for one with a scheme. */
export function webUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError(`"${text}" is not a URL: write it with http:// or https://, such as http://127.0.0.1:3000.`);
}

/** Whether the URL is one of this machine. */
export function isLoopback(url: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** Whether others can read a key on its way to this URL. */
export function isExposed(url: string): boolean {
  return new URL(url).protocol === 'http:' && !isLoopback(url);
}

/** The context of a command. */
export class Session {
  /** What did not happen if the command is interrupted now, such as `Nothing was sent.` */
  undone = '';
  private hasWarned = false;

  constructor(
    readonly out: Output,
    readonly signal: AbortSignal,
    private readonly options: GlobalOptions,
  ) {}

  /** The URL of the service: flag, environment, login. */
  get url(): string {
    const url = this.options.url || process.env.MESSAGING_URL || storedLogin()?.url;
    if (!url) throw new UsageError('Which service? Log in with `messaging login`, or set --url or MESSAGING_URL.');
    return webUrl(url);
  }

  /** A client with the key of the flag, the environment or the login, using the global fetch or the given one. */
  async client(fetch?: typeof globalThis.fetch): Promise<MessagingClient> {
    const found = foundKey(this.options);
    if (!found) throw new UsageError('No API key: log in with `messaging login`, or set MESSAGING_API_KEY.');
    return this.clientOf(this.url, found.key, fetch);
  }

  /** A client for any service and key; warns of plain HTTP to another machine, and reports each wait for a limit. */
  async clientOf(baseUrl: string, apiKey: string, fetch?: typeof globalThis.fetch): Promise<MessagingClient> {
    const { MessagingClient } = await import('../client/messaging-client.js');
    const onRetry = ({ error, waitMs }: { error: Error & { code: string }; waitMs: number }) =>
      this.out.note(`Retrying in ${Math.ceil(waitMs / 1000)} s (${error.code}).`, 'dim');
    if (isExposed(baseUrl) && !this.hasWarned) {
      this.hasWarned = true;
      this.out.note(`Others can read the API key on its way to ${baseUrl}: use https://.`, 'yellow');
    }
    return new MessagingClient({ baseUrl, apiKey, retries: 3, onRetry, fetch });
  }

  /** Whether `--yes` confirms every step. */
  get isConfirmed(): boolean {
    return this.options.yes === true;
  }

  /**
   * Asks before an irreversible step; `--yes` confirms. Returns false if the person declined; `otherwise` is what to say then, and
   * after Ctrl-C.
   */
  async confirmed(question: string, otherwise = ''): Promise<boolean> {
    if (this.isConfirmed) return true;
    if (!process.stdin.isTTY || this.out.json)
      throw new UsageError(`${question} No terminal to prompt on; confirm with --yes.`);
    const answer = await this.asked(`${question} [y/N] `, 'confirm with --yes').catch((error: unknown) => {
      throw error instanceof Interrupted ? new Interrupted(`${error.message} ${otherwise}`.trim()) : error;
    });
    const isConfirmed = /^y(es)?$/i.test(answer.trim());
    if (!isConfirmed && otherwise !== '') this.out.note(otherwise);
    return isConfirmed;
  }

  /** Reads one line from the terminal or a pipe; `instead` is the remedy without either, `hidden` keeps a secret off the screen. */
  async asked(question: string, instead: string, echo: 'shown' | 'hidden' = 'shown'): Promise<string> {
    const { stdin, stderr } = process;
    const isHidden = echo === 'hidden' && stdin.isTTY;
    if (isHidden) stderr.write(question);
    const prompt = createInterface({
      input: stdin,
      // On a terminal, readline turns echo off and writes typed characters to its output.
      ...(isHidden ? { output: nowhere(), terminal: true } : { output: stderr }),
      prompt: stdin.isTTY ? question : '',
      signal: this.signal,
    });
    const unanswered = () =>
      stdin.isTTY || this.signal.aborted
        ? new Interrupted()
        : new UsageError(`${question}No terminal to prompt on; ${instead}.`);
    try {
      return await new Promise<string>((answer, fail) => {
        prompt.once('line', answer);
        // Otherwise the process would exit with success.
        prompt.once('close', () => fail(unanswered()));
        prompt.prompt();
      });
    } finally {
      prompt.close();
      if (isHidden) stderr.write('\n');
    }
  }
}

/** A stream that discards what is written to it. */
function nowhere(): Writable {
  return new Writable({ write: (_piece, _encoding, done) => done() });
}
