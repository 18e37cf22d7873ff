import { ConnectionError, errorOf, MessagingError, UnauthorizedError } from './errors';
import type { Client } from './generated/client/types.gen';
import { createClient } from './generated/client/client.gen';
import {
  createAccount,
  createContact,
  createGroup,
  createTemplate,
  importBulkMessages,
  retryBulkJob,
  sendReply,
  sendTemplate,
  sendTemplateToGroup,
  uploadMedia,
} from './generated/sdk.gen';
import { pause, waitBefore } from './retries';

const API = '/api/v1/messaging';
const RETRIES = 5;
const LONGEST_WAIT_MS = 60_000;
const TIMEOUT_MS = 60_000;

/** Where the service is, and how patient to be with it. */
export interface MessagingClientOptions {
  /** Where the service is, such as `https://messaging.example.com`. */
  baseUrl: string;
  /** The API key; its scopes decide what may be called. */
  apiKey: string;
  /** How often a call is tried again, at most (5). 0: never. */
  retries?: number;
  /** How long a call may wait between its tries, all together, in milliseconds (60,000). */
  maxWaitMs?: number;
  /** How long one try may take, in milliseconds (60,000). Files and streams have no limit but their `signal`. */
  timeoutMs?: number;
  /** Told before each further try; for logs. */
  onRetry?: (retry: Retry) => void;
  /** Another fetch than the global one, such as one that goes through a proxy. */
  fetch?: typeof fetch;
}

/** A further try that is about to be made, after `waitMs` milliseconds; `attempt` is 2 for the second one. */
export interface Retry {
  error: MessagingError;
  attempt: number;
  waitMs: number;
}

/** What every call takes beside its own fields. */
export interface CallOptions {
  /** Ends the call, its waits and its tries. */
  signal?: AbortSignal;
  /**
   * For calls that send or create: within 24 hours the same key never sends or creates twice. Absent: one is made for the call and kept over
   * its tries. One of your own, such as the number of an order, is safe over a crash of your program, too.
   */
  idempotencyKey?: string;
}

/** One endpoint of the API: a function of `operations`. Streams of events are none of these: they have no single answer. */
export type Operation = (options: never) => Promise<{ data: unknown } | { error: unknown }>;

/** What an operation takes: its `path`, `query`, `body`. */
export type InputOf<O extends Operation> = Pick<
  NonNullable<Parameters<O>[0]>,
  Extract<keyof NonNullable<Parameters<O>[0]>, 'path' | 'query' | 'body'>
>;

/** What an operation answers. */
export type OutputOf<O extends Operation> =
  Awaited<ReturnType<O>> extends infer A ? (A extends { data: infer D } ? Exclude<D, undefined> : never) : never;

/** An answer of a generated function; `response` is absent where none came. */
interface Answered {
  data?: unknown;
  error?: unknown;
  response?: Response;
}

/** Operations that take an idempotency key: repeated with the same key, they do nothing twice. */
export const KEYED_OPERATIONS: ReadonlySet<unknown> = new Set<unknown>([
  sendTemplate,
  importBulkMessages,
  sendTemplateToGroup,
  retryBulkJob,
  sendReply,
  createTemplate,
  createGroup,
  createContact,
  createAccount,
  uploadMedia,
]);

/** Calls operations of the service: with the key, an idempotency key where one is taken, and again where that is safe. */
export class Calls {
  /** Where the API is, without a slash at its end. */
  readonly url: string;
  // Private to the language, not to the compiler alone: logs and inspection print neither, and both hold the key.
  readonly #client: Client;
  readonly #options: MessagingClientOptions;

  constructor(options: MessagingClientOptions) {
    checkKey(options);
    this.#options = options;
    const base = options.baseUrl.replace(/\/+$/, '').replace(new RegExp(`${API}$`), '');
    this.url = base + API;
    this.#client = createClient({ baseUrl: base, headers: { 'X-API-Key': options.apiKey } });
  }

  /** The operation's answer. `streamed`: the body as a stream, without a limit of time. Throws MessagingError. */
  async run<O extends Operation>(
    operation: O,
    input: InputOf<O>,
    options: CallOptions & { streamed?: boolean; unlimited?: boolean } = {},
  ): Promise<OutputOf<O>> {
    const { signal, streamed = false, unlimited = streamed } = options;
    const keyed = KEYED_OPERATIONS.has(operation);
    const idempotencyKey = keyed ? (options.idempotencyKey ?? newKey()) : undefined;
    const call = operation as unknown as (options: object) => Promise<Answered>;
    return (await this.repeated(keyed, signal, (fetch, limit) =>
      call({
        ...input,
        client: this.#client,
        fetch,
        signal: unlimited ? signal : limit,
        ...(streamed && { parseAs: 'stream' }),
        ...(idempotencyKey && { headers: { 'Idempotency-Key': idempotencyKey } }),
      }),
    )) as OutputOf<O>;
  }

  /** Opens `GET <path>` below the API as it is, once; the answer, whatever it says. */
  async open(path: string, accept: string, signal?: AbortSignal): Promise<Response> {
    const { fetch = globalThis.fetch, apiKey } = this.#options;
    return fetch(this.url + path, { headers: { 'X-API-Key': apiKey, accept }, signal });
  }

  private async repeated(
    keyed: boolean,
    signal: AbortSignal | undefined,
    call: (fetch: (request: Request) => Promise<Response>, signal: AbortSignal) => Promise<Answered>,
  ): Promise<unknown> {
    const { fetch = globalThis.fetch, retries = RETRIES, maxWaitMs = LONGEST_WAIT_MS, onRetry } = this.#options;
    let waited = 0;
    for (let attempt = 1; ; attempt++) {
      let repeatable = keyed;
      const timeout = AbortSignal.timeout(this.#options.timeoutMs ?? TIMEOUT_MS);
      const limit = signal ? AbortSignal.any([signal, timeout]) : timeout;
      const recorded = (request: Request) => {
        repeatable = keyed || request.method === 'GET';
        return fetch(request);
      };
      const error = await call(recorded, limit).then(judged, cutOff);
      if (!(error instanceof MessagingError)) return error.data;
      signal?.throwIfAborted();
      const waitMs = attempt > retries ? null : waitBefore({ error, repeatable, attempt }, Math.random());
      if (waitMs === null || waited + waitMs > maxWaitMs) throw error;
      onRetry?.({ error, attempt: attempt + 1, waitMs });
      await pause(waitMs, signal);
      waited += waitMs;
    }
  }
}

/** Refuses a key that no header can carry: fetch would refuse it with a message that quotes the key. */
function checkKey({ apiKey }: MessagingClientOptions): void {
  if (!/^[\x20-\x7e]*$/.test(apiKey.trim()))
    throw new UnauthorizedError('unauthorized', 'The API key contains invalid characters. Copy it again.');
}

/** What a try that ended without a whole answer throws. */
function cutOff(cause: unknown): MessagingError {
  return new ConnectionError('connection_failed', `The service could not be reached: ${reasonOf(cause)}.`, {}, cause);
}

/** fetch says little; the cause of its error says what happened. Not by `instanceof`: errors of other realms come here, too. */
function reasonOf(thrown: unknown): string {
  const { name, message, code, cause } = (thrown ?? {}) as Partial<Error & { code: string }>;
  if (name === 'TimeoutError') return 'no response in time';
  return cause ? reasonOf(cause) : message || code || String(thrown);
}

function judged(answered: Answered): Answered | MessagingError {
  const { response, error } = answered;
  if (!response) return cutOff(error);
  // The API answers no pages: this is another server, or a proxy in front of it.
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
  return response.ok && !isPage ? answered : errorOf(response, error);
}

/** 128 random bits; unlike `randomUUID`, in pages that were not loaded over https, too. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
