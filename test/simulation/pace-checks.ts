import { PromiseBroken } from './promise-broken';
import type { Flight } from './simulated-platform';

/** The window in which a strict platform counts. Requests are spaced by more than the variation of connection times. */
const WINDOW_MS = 995;
/** A process applies a new pace within this time if the database responds. */
const KNOWN_WITHIN_MS = 5000;

/** Checks that the requests of a lane keep the pace of its sender. Single sends of other processes are extra, and few. */
export class PaceChecks {
  /** Times of requests by process and sender, latest last. */
  private readonly departures = new Map<string, number[]>();
  /** The paces of each sender, with the time from which each applies. */
  private readonly paces = new Map<string, { since: number; perSecond: number }[]>();

  constructor(
    private readonly now: () => number,
    /** Whether the database always responds; otherwise processes may use an old pace for any time. */
    private readonly isReadable: boolean,
  ) {}

  changed(senderId: string, perSecond: number): void {
    this.paces.set(senderId, [...(this.paces.get(senderId) ?? []), { since: this.now(), perSecond }]);
  }

  departed({ callbackData, life, sender }: Flight): void {
    const [, , jobId] = callbackData.split('.');
    if (jobId === undefined) return;
    const now = this.now();
    const pace = this.highest(sender.id, now);
    const key = `${life.name} ${sender.id}`;
    const earlier = this.departures.get(key) ?? [];
    const before = earlier.at(-pace);
    if (before !== undefined && now - before < WINDOW_MS && !life.wasFrozenSince(now - 2 * WINDOW_MS)) {
      throw new PromiseBroken('a sender keeps its pace', `${callbackData}: ${pace + 1} in ${now - before} ms`);
    }
    this.departures.set(key, [...earlier, now].slice(-1000));
  }

  /** The highest pace that a process may still use. */
  private highest(senderId: string, now: number): number {
    const paces = this.paces.get(senderId)!;
    const old = this.isReadable ? now - KNOWN_WITHIN_MS : -Infinity;
    const known = paces.filter((_pace, index) => (paces[index + 1]?.since ?? Infinity) > old);
    return Math.max(...known.map(({ perSecond }) => Math.max(1, Math.floor(perSecond))));
  }
}
