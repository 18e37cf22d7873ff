import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { AppSecretProofs, type CloudApiAccess } from './app-secret-proofs';
import { type CloudApiReply, readReply } from './cloud-api-reply';
import { type CloudApiDownload, type DownloadRequest, downloadFrom } from './download';
import { lookupPublic } from '../public-addresses';
import { ConnectionPools } from './connection-pools';
import { MediaHosts } from './media-hosts';
import { Exchange, ABORTED_BY_CALLER } from './exchange';
import { beginCall, traceCall } from './platform-span';
import type { StreamedBody } from './streamed-body';
import { USER_AGENT } from '../user-agent';

const CONNECTION_WAIT_MS = 5_000;
const KEEP_ALIVE_MS = 2_000;
const DEFAULT_CONNECTIONS = 512;
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Files use separate connections, so that messages never wait for them. */
const FILE_CONNECTIONS = 16;
/** The upload of a file is aborted below this rate. */
const FILE_BYTES_PER_MS = 512;

/** Address and limits of the platform: `baseUrl` without the version, `timeoutMs` for a complete response. */
export interface CloudApiOptions {
  baseUrl: string;
  version: string;
  timeoutMs: number;
  /** How long a call may wait for a connection before it is `not_sent`; 5,000 by default. */
  connectionWaitMs?: number;
  /** Maximum number of connections, excluding those for files; 512 by default. */
  connections?: number;
  /** Additional hosts that serve the platform's files, such as `*.fbsbx.com`; none if absent. */
  mediaHosts?: readonly string[];
  /** Receives the result of each call, except calls aborted by their caller, which reveal nothing about the platform. */
  onReply?: (reply: CloudApiReply) => void;
}

/**
 * One call: `path` begins with a slash and follows the version; `body` is sent as JSON, `content` unchanged. The call includes the
 * proof of the app secret, if known.
 */
export interface CloudApiRequest {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  access: CloudApiAccess;
  query?: Record<string, string>;
  body?: unknown;
  content?: StreamedBody;
  headers?: Record<string, string>;
  /** Authorization scheme; `Bearer` by default. */
  scheme?: 'Bearer' | 'OAuth';
  /** Called immediately before the first byte is written; false makes the call `not_sent`. */
  canStillSend?: () => boolean;
}

/**
 * The platform's HTTP API. A call never throws and is never retried. It is `not_sent` unless it is written within `connectionWaitMs`
 * (including DNS, connect and TLS), and `no_answer` unless the response is complete within `timeoutMs` after that; files have more
 * time, by their size. Replies and reasons never contain the access token.
 */
export class CloudApiClient {
  private readonly messages: ConnectionPools;
  private readonly files: Agent;
  private readonly publicFiles: Agent;
  private readonly hosts: MediaHosts;
  private readonly proofs = new AppSecretProofs();
  private readonly origin: string;
  private readonly prefix: string;

  constructor(private readonly options: CloudApiOptions) {
    const base = new URL(options.baseUrl);
    this.origin = base.origin;
    this.prefix = `${base.pathname.replace(/\/+$/, '')}/${options.version}`;
    const shared = {
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      connect: { timeout: options.connectionWaitMs ?? CONNECTION_WAIT_MS },
      // The exchange limits headers and body together; these two would restart with every chunk.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    this.messages = new ConnectionPools(this.origin, options.connections ?? DEFAULT_CONNECTIONS, {
      ...shared,
      maxResponseSize: MAX_RESPONSE_BYTES,
    });
    this.files = new Agent({ ...shared, connections: FILE_CONNECTIONS });
    this.publicFiles = new Agent({
      ...shared,
      connections: FILE_CONNECTIONS,
      connect: { ...shared.connect, lookup: lookupPublic },
    });
    this.hosts = new MediaHosts(options.baseUrl, options.mediaHosts ?? []);
  }

  /** Makes one call and returns its result. */
  async call(request: CloudApiRequest): Promise<CloudApiReply> {
    const { content, access } = request;
    const traced = traceCall(request.method, request.path);
    const exchange = new Exchange({
      connectionWaitMs: this.options.connectionWaitMs ?? CONNECTION_WAIT_MS,
      responseMs: this.options.timeoutMs + Math.ceil((content?.bytes ?? 0) / FILE_BYTES_PER_MS),
      canStillSend: request.canStillSend,
    });
    const call: Dispatcher.DispatchOptions = {
      origin: this.origin,
      path: this.prefix + this.pathOf(request),
      method: request.method,
      headers: {
        authorization: `${request.scheme ?? 'Bearer'} ${access.accessToken}`,
        accept: 'application/json',
        'user-agent': USER_AGENT,
        ...traced.headers,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(content && { 'content-type': content.contentType, 'content-length': String(content.bytes) }),
        ...request.headers,
      },
      body: content ? Readable.from(content.chunks()) : bodyOf(request),
    };
    if (content) this.files.dispatch(call, exchange);
    else this.messages.dispatch(call, exchange, exchange.result);
    const result = await exchange.result;
    const reply = result.kind === 'response' ? readReply(result.status, result.text, access.accessToken) : result;
    traced.ended(reply);
    if (reply.kind !== 'not_sent' || reply.reason !== ABORTED_BY_CALLER) this.options.onReply?.(reply);
    return reply;
  }

  /** Downloads a file from an address returned by the platform; see CloudApiDownload. */
  async download(request: DownloadRequest): Promise<CloudApiDownload> {
    const { origin, hosts, files: own, publicFiles: others } = this;
    // Without the header: the host of the files is another server.
    const span = beginCall('GET', '/{file}');
    const start = await downloadFrom({ origin, hosts, own, others, idleMs: this.options.timeoutMs }, request);
    span?.end(start.kind === 'content' ? {} : { error: start.kind });
    return start;
  }

  private pathOf({ path, query, access }: CloudApiRequest): string {
    const proof = this.proofs.of(access);
    // The proof is hexadecimal and needs no escaping.
    const fields = [query && new URLSearchParams(query).toString(), proof && `appsecret_proof=${proof}`];
    const added = fields.filter(Boolean).join('&');
    return added === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${added}`;
  }

  /** Closes all connections immediately, including those of open calls. */
  async close(): Promise<void> {
    await Promise.all([this.messages.destroy(), this.files.destroy(), this.publicFiles.destroy()]);
  }
}

function bodyOf({ body }: CloudApiRequest): string | null {
  return body === undefined ? null : JSON.stringify(body);
}
