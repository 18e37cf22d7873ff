import { PromiseBroken } from './promise-broken';
import type { Flight } from './simulated-platform';

/** A strict platform counts within this time. Requests are planned further apart by more than connecting varies. */
const WINDOW_MS = 995;
/** A process knows a new pace within this time, where the database answers. */
const KNOWN_WITHIN_MS = 5000;

/** Looks whether the requests of a lane keep the pace of its sender. Single sends of other processes come on top, and are few. */
export class PaceChecks {
  /** When the requests of a process for a sender left, the latest last. */
  private readonly departures = new Map<string, number[]>();
  /** The paces of each sender, and since when it has them. */
  private readonly paces = new Map<string, { since: number; perSecond: number }[]>();

  constructor(
    private readonly now: () => number,
    /** Processes may know a pace for as long as they cannot read another. */
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
    if (before !== undefined && now - before < WINDOW_MS && !life.stoodStillSince(now - 2 * WINDOW_MS)) {
      throw new PromiseBroken('a sender keeps its pace', `${callbackData}: ${pace + 1} in ${now - before} ms`);
    }
    this.departures.set(key, [...earlier, now].slice(-1000));
  }

  /** The highest pace that a process may know. */
  private highest(senderId: string, now: number): number {
    const paces = this.paces.get(senderId)!;
    const old = this.isReadable ? now - KNOWN_WITHIN_MS : -Infinity;
    const known = paces.filter((_pace, index) => (paces[index + 1]?.since ?? Infinity) > old);
    return Math.max(...known.map(({ perSecond }) => Math.max(1, Math.floor(perSecond))));
  }
}
