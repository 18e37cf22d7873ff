import { ConnectionError, errorOf, MessagingError, UnauthorizedError } from './errors';
import type { Client } from './generated/client/types.gen';
import { createClient } from './generated/client/client.gen';
import {
  addAccountSender,
  createAccount,
  createContact,
  createGroup,
  createQuickReply,
  createTemplate,
  importBulkMessages,
  importGroupContacts,
  retryBulkJob,
  sendReply,
  sendTemplate,
  sendTemplateToGroup,
  sendTemplateToList,
  uploadMedia,
} from './generated/sdk.gen';
import { isWithoutTls, pause, waitBefore } from './retries';

const API = '/api/v1/messaging';
const RETRIES = 5;
const MAX_WAIT_MS = 60_000;
const TIMEOUT_MS = 60_000;

/** Connection and retry settings. */
export interface MessagingClientOptions {
  /** URL of the service, such as `https://messaging.example.com`. */
  baseUrl: string;
  /** The API key; its scopes decide what may be called. */
  apiKey: string;
  /** Maximum number of retries per call (default 5). 0: no retries. */
  retries?: number;
  /** Maximum total wait between the attempts of a call, in milliseconds (default 60,000). */
  maxWaitMs?: number;
  /** Timeout of one attempt, in milliseconds (default 60,000). File uploads and streams are limited by their `signal` only. */
  timeoutMs?: number;
  /** Called before each retry, for logging. */
  onRetry?: (retry: Retry) => void;
  /** Replaces the global fetch, for example to use a proxy. */
  fetch?: typeof fetch;
}

/** A retry that starts in `waitMs` milliseconds; `attempt` is 2 for the first retry. */
export interface Retry {
  error: MessagingError;
  attempt: number;
  waitMs: number;
}

/** Options common to all calls. */
export interface CallOptions {
  /** Aborts the call, including waits and retries. */
  signal?: AbortSignal;
  /**
   * For calls that send or create: within 24 hours, the same key never sends or creates twice. Default: a random key per call, kept
   * across its retries. A key of your own, such as an order number, also protects against a crash of your program.
   */
  idempotencyKey?: string;
}

/** A function of `operations`, for one API endpoint. Excludes event streams, which have no single response. */
export type Operation = (options: never) => Promise<{ data: unknown } | { error: unknown }>;

/** The input of an operation: `path`, `query` and `body`. */
export type InputOf<O extends Operation> = Pick<
  NonNullable<Parameters<O>[0]>,
  Extract<keyof NonNullable<Parameters<O>[0]>, 'path' | 'query' | 'body'>
>;

type BodyOf<O extends Operation> =
  Awaited<ReturnType<O>> extends infer A ? (A extends { data: infer D } ? Exclude<D, undefined> : never) : never;

/** The response body of an operation; of a list with pages and cursors, a page: `each` reads cursors. */
export type OutputOf<O extends Operation> =
  Extract<BodyOf<O>, { totalPages: number }> extends never ? BodyOf<O> : Extract<BodyOf<O>, { totalPages: number }>;

/** The result of a generated function; `response` is absent if there was none. */
interface CallResult {
  data?: unknown;
  error?: unknown;
  response?: Response;
}

/** Operations that accept an idempotency key and are therefore safe to retry. */
export const KEYED_OPERATIONS: ReadonlySet<unknown> = new Set<unknown>([
  sendTemplate,
  importBulkMessages,
  sendTemplateToGroup,
  sendTemplateToList,
  retryBulkJob,
  sendReply,
  createTemplate,
  createGroup,
  createContact,
  createQuickReply,
  createAccount,
  addAccountSender,
  uploadMedia,
]);

/** Operations without a key that have no further effect when they are repeated. */
const REPEATABLE_OPERATIONS: ReadonlySet<unknown> = new Set<unknown>([importGroupContacts]);

/** Calls API operations with the API key and idempotency keys, and retries where that is safe. */
export class Calls {
  /** Base URL of the API, without a trailing slash. */
  readonly url: string;
  // #private, so that logging and inspection do not print the API key that both contain.
  readonly #client: Client;
  readonly #options: MessagingClientOptions;

  constructor(options: MessagingClientOptions) {
    checkOptions(options);
    this.#options = options;
    const base = options.baseUrl.replace(/\/+$/, '').replace(new RegExp(`${API}$`), '');
    this.url = base + API;
    this.#client = createClient({ baseUrl: base, headers: { 'X-API-Key': options.apiKey } });
  }

  /** Calls an operation and returns its body. `streamed`: the body as a stream; `unlimited`: no timeout. Throws MessagingError. */
  async run<O extends Operation>(
    operation: O,
    input: InputOf<O>,
    options: CallOptions & { streamed?: boolean; unlimited?: boolean } = {},
  ): Promise<OutputOf<O>> {
    const { signal, streamed = false, unlimited = streamed } = options;
    const keyed = KEYED_OPERATIONS.has(operation);
    const idempotencyKey = keyed ? (options.idempotencyKey ?? newKey()) : undefined;
    const call = operation as unknown as (options: object) => Promise<CallResult>;
    const repeatable = keyed || REPEATABLE_OPERATIONS.has(operation);
    return (await this.withRetries(repeatable, signal, (fetch, limit) =>
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

  /** Sends `GET <path>` below the API once and returns the raw response, whatever its status. */
  async open(path: string, accept: string, signal?: AbortSignal): Promise<Response> {
    const { fetch = globalThis.fetch, apiKey } = this.#options;
    return fetch(this.url + path, { headers: { 'X-API-Key': apiKey, accept }, signal });
  }

  private async withRetries(
    alwaysRepeatable: boolean,
    signal: AbortSignal | undefined,
    call: (fetch: (request: Request) => Promise<Response>, signal: AbortSignal) => Promise<CallResult>,
  ): Promise<unknown> {
    const { fetch = globalThis.fetch, retries = RETRIES, maxWaitMs = MAX_WAIT_MS, onRetry } = this.#options;
    let waited = 0;
    for (let attempt = 1; ; attempt++) {
      let repeatable = alwaysRepeatable;
      const timeout = AbortSignal.timeout(this.#options.timeoutMs ?? TIMEOUT_MS);
      const limit = signal ? AbortSignal.any([signal, timeout]) : timeout;
      const recorded = (request: Request) => {
        repeatable = alwaysRepeatable || request.method === 'GET';
        return fetch(request);
      };
      const error = await call(recorded, limit).then(resultOrError, connectionErrorOf);
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

/** Rejects what no call could use, such as an unset variable, and keys that are not valid header values: fetch would quote them. */
function checkOptions({ baseUrl, apiKey }: Partial<MessagingClientOptions>): void {
  if (!baseUrl || !/^https?:\/\/./.test(baseUrl) || !URL.canParse(baseUrl))
    throw new TypeError(
      `baseUrl is ${JSON.stringify(baseUrl)}, which is not a URL: write it with https://, such as https://messaging.example.com.`,
    );
  if (!apiKey?.trim()) throw new UnauthorizedError('unauthorized', 'apiKey is empty: pass the API key.');
  if (!/^[\x20-\x7e]*$/.test(apiKey.trim()))
    throw new UnauthorizedError('unauthorized', 'The API key contains invalid characters. Copy it again.');
}

/** The error of an attempt without a complete response. */
function connectionErrorOf(cause: unknown): MessagingError {
  return new ConnectionError('connection_failed', `The service could not be reached: ${reasonOf(cause)}.`, {}, cause);
}

/** The innermost cause of a fetch error. Avoids `instanceof`, as errors may come from another realm. */
function reasonOf(thrown: unknown): string {
  const { name, message, code, cause } = (thrown ?? {}) as Partial<Error & { code: string }>;
  if (name === 'TimeoutError') return 'timed out';
  if (isWithoutTls(thrown)) return 'it does not answer in TLS; write http:// instead of https://';
  return cause ? reasonOf(cause) : message || code || String(thrown);
}

function resultOrError(result: CallResult): CallResult | MessagingError {
  const { response, error } = result;
  if (!response) return connectionErrorOf(error);
  // The API never returns HTML: the response is from another server, or from a proxy.
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
  return response.ok && !isPage ? result : errorOf(response, error);
}

/** 128 random bits in hex. Unlike `randomUUID`, works in pages loaded over plain HTTP. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
