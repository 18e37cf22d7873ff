import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { Clock } from '../../kernel/clock';
import type { CloudApiReply } from './cloud-api-reply';

/** Whether the platform is reachable; `reason` says why not. */
export type PlatformReach = { ok: true } | { ok: false; reason: string };

/** How long the result of a call or of a test connection is considered current. */
const FRESH_MS = 30_000;
/** Consecutive calls without an answer after which the platform counts as unreachable. */
const SILENT_CALLS = 5;
/** Longer than the longest pause between two probes of a lane. */
const SILENCE_MS = 90_000;
const TRIAL_MS = 1500;

/**
 * Whether the platform is reachable from this process: known from its calls or, if there were none for 30 s, from a test
 * connection (without a request, so that no limit is used).
 */
export class PlatformContact {
  private reach: { at: number; seen: PlatformReach } | null = null;
  private silentCalls = 0;
  private silentAt = 0;
  private trial: Promise<PlatformReach> | null = null;

  constructor(
    private readonly url: URL,
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly tryTo: (url: URL) => Promise<PlatformReach> = openConnection,
  ) {}

  /** Records the result of a call. */
  heard(reply: CloudApiReply): void {
    // Only the code: health reports must not contain network addresses.
    if (reply.kind === 'not_sent') return this.see({ ok: false, reason: reply.reason.split(':')[0]! });
    this.see({ ok: true });
    this.silentCalls = reply.kind === 'no_answer' ? this.silentCalls + 1 : 0;
    if (reply.kind === 'no_answer') this.silentAt = this.clock.monotonic();
  }

  /** Never rejects and takes at most 1.5 s; uses a recent result if there is one. */
  async check(): Promise<PlatformReach> {
    const now = this.clock.monotonic();
    if (this.silentCalls >= SILENT_CALLS && now - this.silentAt < SILENCE_MS) {
      return { ok: false, reason: `the last ${this.silentCalls} calls got no response` };
    }
    if (this.reach && now - this.reach.at < FRESH_MS) return this.reach.seen;
    this.trial ??= this.tryTo(this.url).then((seen) => {
      this.trial = null;
      this.see(seen);
      return seen;
    });
    return this.trial;
  }

  private see(seen: PlatformReach): void {
    this.reach = { at: this.clock.monotonic(), seen };
  }
}

/** Opens a connection to the server of `url`, with TLS where the URL says so, and closes it again. */
function openConnection(url: URL): Promise<PlatformReach> {
  return new Promise((resolve) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    const socket: Socket = url.protocol === 'https:' ? connectSecure({ host, port }) : connectPlain({ host, port });
    const end = (reach: PlatformReach): void => {
      socket.destroy();
      resolve(reach);
    };
    socket.setTimeout(TRIAL_MS, () => end({ ok: false, reason: `no connection within ${TRIAL_MS} ms` }));
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => end({ ok: true }));
    socket.on('error', (error: Error & { code?: string }) => end({ ok: false, reason: error.code ?? error.message }));
  });
}
