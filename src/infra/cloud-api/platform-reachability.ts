import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { Clock } from '../../kernel/clock';
import type { CloudApiReply } from './cloud-api-reply';

/** Whether the platform is reachable; `reason` says why not. */
export type Reachability = { ok: true } | { ok: false; reason: string };

/** How long the result of a call or a test connection is valid. */
const FRESH_MS = 30_000;
/** Consecutive unanswered calls after which the platform counts as unreachable. */
const SILENT_CALLS = 5;
/** Longer than the longest pause between two probes of a lane. */
const SILENCE_MS = 90_000;
const PROBE_MS = 1500;

/**
 * Whether the platform is reachable from this process, judging by its calls or, after 30 s without any, by a test connection
 * (without a request, so that it does not count against a limit).
 */
export class PlatformReachability {
  private last: { at: number; result: Reachability } | null = null;
  private silentCalls = 0;
  private silentAt = 0;
  private probe: Promise<Reachability> | null = null;

  constructor(
    private readonly url: URL,
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly connect: (url: URL) => Promise<Reachability> = openConnection,
  ) {}

  /** Records the result of a call. */
  record(reply: CloudApiReply): void {
    // Only the code: health reports must not contain network addresses.
    if (reply.kind === 'not_sent') return this.keep({ ok: false, reason: reply.reason.split(':')[0]! });
    this.keep({ ok: true });
    this.silentCalls = reply.kind === 'no_answer' ? this.silentCalls + 1 : 0;
    if (reply.kind === 'no_answer') this.silentAt = this.clock.monotonic();
  }

  /** Never rejects and takes at most 1.5 s; uses a recent result if there is one. */
  async check(): Promise<Reachability> {
    const now = this.clock.monotonic();
    if (this.silentCalls >= SILENT_CALLS && now - this.silentAt < SILENCE_MS) {
      return { ok: false, reason: `the last ${this.silentCalls} calls got no response` };
    }
    if (this.last && now - this.last.at < FRESH_MS) return this.last.result;
    this.probe ??= this.connect(this.url).then((result) => {
      this.probe = null;
      this.keep(result);
      return result;
    });
    return this.probe;
  }

  private keep(result: Reachability): void {
    this.last = { at: this.clock.monotonic(), result };
  }
}

/** Opens a connection to the server of `url`, with TLS for https, and closes it again. */
function openConnection(url: URL): Promise<Reachability> {
  return new Promise((resolve) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    const socket: Socket = url.protocol === 'https:' ? connectSecure({ host, port }) : connectPlain({ host, port });
    const end = (result: Reachability): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(PROBE_MS, () => end({ ok: false, reason: `no connection within ${PROBE_MS} ms` }));
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => end({ ok: true }));
    socket.on('error', (error: Error & { code?: string }) => end({ ok: false, reason: error.code ?? error.message }));
  });
}
