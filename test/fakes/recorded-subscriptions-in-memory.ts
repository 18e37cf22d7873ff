import {
  type CheckedSubscription,
  RecordedSubscriptions,
} from '../../src/modules/platform-webhook/domain/recorded-subscriptions.port';
import type { RecordedSubscription } from '../../src/modules/platform-webhook/domain/webhook-subscription';
import type { FakeClock } from './fake-clock';

/** Recorded subscriptions in memory. */
export class RecordedSubscriptionsInMemory extends RecordedSubscriptions {
  readonly urls = new Map<string, RecordedSubscription>();
  restoredAt: Date | null = null;

  find(account: string): ReturnType<RecordedSubscriptions['find']> {
    return Promise.resolve({ recorded: this.urls.get(account) ?? null, restoredAt: this.restoredAt });
  }

  record(account: string, callbackUrl: string): Promise<void> {
    this.urls.set(account, { callbackUrl, recordedAt: new Date() });
    return Promise.resolve();
  }

  /** Numbers of statements. */
  readings = 0;
  leases = 0;
  private readonly last = new Map<
    string,
    { state: 'own' | 'left' | null; at: number; url: string; isLeased: boolean }
  >();

  constructor(private readonly clock: FakeClock) {
    super();
  }

  checks(accounts: readonly string[]): ReturnType<RecordedSubscriptions['checks']> {
    this.readings++;
    const found = accounts.flatMap((account): [string, CheckedSubscription][] => {
      const { state = null, at = 0 } = this.last.get(account) ?? {};
      return state ? [[account, { state, ageMs: this.clock.monotonic() - at }]] : [];
    });
    return Promise.resolve(new Map(found));
  }

  lease(account: string, url: string, _leaseMs: number, freshMs: number): Promise<boolean> {
    this.leases++;
    const known = this.last.get(account) ?? { state: null, at: 0, url, isLeased: false };
    const check = known.url === url ? known : { ...known, state: null, url };
    const isFresh = check.state !== null && this.clock.monotonic() - check.at < freshMs;
    if (isFresh || check.isLeased) return Promise.resolve(false);
    this.last.set(account, { ...check, isLeased: true });
    return Promise.resolve(true);
  }

  forgetUnused(): Promise<number> {
    return Promise.resolve(0);
  }

  checked(account: string, state: 'own' | 'left' | null): Promise<void> {
    const before = this.last.get(account)!;
    const at = state ? this.clock.monotonic() : before.at;
    this.last.set(account, { state: state ?? before.state, at, url: before.url, isLeased: false });
    return Promise.resolve();
  }
}
