import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { Clock } from '../../kernel/clock';
import type { CloudApiReply } from './cloud-api-reply';

/** Whether the platform can be spoken to; `reason` says in words why not. */
export type PlatformReach = { ok: true } | { ok: false; reason: string };

/** How long an answer, a failure to connect or a trial says that the platform can, or cannot, be reached. */
const FRESH_MS = 30_000;
/** Calls without an answer in a row that speak of the platform; below that it may be one call's own. */
const SILENT_CALLS = 5;
/** Longer than lanes wait at most between two probes of the platform. */
const SILENCE_MS = 90_000;
const TRIAL_MS = 1500;

/**
 * What this process knows of the way to the platform: from its calls, and where it made none for 30 s by opening a
 * connection (no request, so nothing counts against any limit).
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

  /** Takes note of how a call ended. */
  heard(reply: CloudApiReply): void {
    // The code says enough; addresses of the network are nothing for whoever may read this.
    if (reply.kind === 'not_sent') return this.see({ ok: false, reason: reply.reason.split(':')[0]! });
    this.see({ ok: true });
    this.silentCalls = reply.kind === 'no_answer' ? this.silentCalls + 1 : 0;
    if (reply.kind === 'no_answer') this.silentAt = this.clock.monotonic();
  }

  /** Never rejects and takes 1.5 s at most; asked often it answers what it knows already. */
  async check(): Promise<PlatformReach> {
    const now = this.clock.monotonic();
    if (this.silentCalls >= SILENT_CALLS && now - this.silentAt < SILENCE_MS) {
      return { ok: false, reason: `the last ${this.silentCalls} calls had no answer` };
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
