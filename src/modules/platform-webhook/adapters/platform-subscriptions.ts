import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Health, HealthChecks } from '../../../infra/health/health-checks';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { uuidTime } from '../../../kernel/uuid';
import { activeSince, type BusinessAccount, IDLE_INTERVAL_MS, type Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { SubscriptionGaps } from '../../sending/domain/subscription-gaps';
import { type CheckedSubscription, RecordedSubscriptions } from '../domain/recorded-subscriptions.port';
import { BUSINESS_ACCOUNT_FIELDS, subscriptionDecision } from '../domain/webhook-subscription';
import { WebhookSubscriptions } from '../domain/webhook-subscriptions.port';
import { WebhookTelemetry } from '../domain/webhook-telemetry';

const POLL_INTERVAL_MS = 5_000;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 120_000;
/**
 * The platform may lose a subscription, or another service take it over: 12 of the 200 calls an hour that the platform
 * allows.
 */
const CHECK_INTERVAL_MS = 300_000;
/** Of a subscription of this service under which the platform has reported within a day. */
const REPORTED_INTERVAL_MS = 3_600_000;
/** How much later a process repeats the check of another one, which mostly does so itself. */
const JITTER_MS = 30_000;
/** Longer than most checks; another process may repeat one that takes longer. */
const LEASE_MS = 15_000;
/** Business accounts that a process checks at a time: 10,000 accounts and 200 ms for each are 200 s. */
const AT_ONCE = 10;
/** How often the business accounts and their activity are read; those that this process adds are known at once. */
const LIST_INTERVAL_MS = 60_000;

/** The subscription that this service requests. */
export interface WantedSubscription {
  callbackUrl: string;
  /** Even if the platform reports to another service: PUBLIC_URL_TAKEOVER. */
  takeOver: boolean;
}

interface Subscription {
  /** Monotonic time of the last check. */
  checkedAt: number;
  failures: number;
  state: 'unknown' | 'own' | 'left';
}

/** The result of one check. */
type Attempt = { state: 'own' } | { state: 'left'; addresses: readonly string[] } | { failure: string };

interface Listing {
  accounts: ReadonlyMap<string, BusinessAccount>;
  /** Monotonic time of the next reading. */
  until: number;
}

const FIRST: Subscription = { checkedAt: -Infinity, failures: 0, state: 'unknown' };

/**
 * Subscribes this service to the platform's reports on every business account, within seconds of its creation, except
 * subscriptions that may belong to another service. Retries refused ones with growing pauses, without affecting others.
 */
@Injectable()
export class PlatformSubscriptions implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(PlatformSubscriptions.name);
  private loop: Loop | null = null;
  private readonly subscriptions = new Map<string, Subscription>();
  private listing: Listing = { accounts: new Map(), until: -Infinity };
  /** How often this process has changed senders. */
  private changes = 0;
  constructor(
    private readonly senders: SendersService,
    private readonly platform: WebhookSubscriptions,
    private readonly recorded: RecordedSubscriptions,
    private readonly telemetry: WebhookTelemetry,
    private readonly clock: Clock,
    private readonly checks: HealthChecks,
    private readonly gaps: SubscriptionGaps,
  ) {}

  onModuleInit(): void {
    this.checks.register({ name: 'webhook_subscription', required: false, check: () => this.health() });
    this.gaps.add(({ businessAccountId }) =>
      this.subscriptions.get(businessAccountId)?.state === 'left' ? BUSINESS_ACCOUNT_FIELDS : [],
    );
    this.senders.onChange(() => {
      this.listing.until = -Infinity;
      this.changes++;
      this.loop?.wake();
    });
  }

  /**
   * Starts subscribing the address, which must already respond: the platform verifies it during the call. Resolves
   * after the first attempt, successful or not.
   */
  start(wanted: WantedSubscription): Promise<void> {
    this.loop = new Loop({
      name: 'webhook_subscriptions',
      clock: this.clock,
      everyMs: POLL_INTERVAL_MS,
      round: (signal) => this.subscribeAll(wanted, signal),
      failed: ({ message }) => this.logger.warn(`Senders or subscriptions could not be read, retrying: ${message}`),
    });
    this.loop.start();
    return this.loop.firstRound;
  }

  /** Does not wait for a request in flight: it can be repeated at any time. */
  onModuleDestroy(): void {
    void this.loop?.stop();
  }

  private async subscribeAll(wanted: WantedSubscription, stopped: AbortSignal): Promise<void> {
    const accounts = await this.accounts();
    const now = this.clock.monotonic();
    const due = [...accounts.values()].filter((account) => {
      const last = this.stateOf(account.id);
      return last.checkedAt + pauseMs(last, account) <= now;
    });
    if (due.length === 0) return;
    const ids = due.map(({ id }) => id);
    const checks = await this.recorded.checks(ids, wanted.callbackUrl);
    const next = due.values();
    const run = async (): Promise<void> => {
      for (const account of next) {
        if (stopped.aborted) return;
        const known = checks.get(account.id);
        const everyMs = intervalMs(account, known?.state ?? 'unknown');
        await this.check(wanted, account.id, { known, everyMs }, stopped);
      }
    };
    const runs = await Promise.allSettled(Array.from({ length: AT_ONCE }, run));
    const failed = runs.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private async accounts(): Promise<Listing['accounts']> {
    const now = this.clock.monotonic();
    if (now < this.listing.until) return this.listing.accounts;
    const { changes } = this;
    const listed = await this.senders.businessAccounts(activeSince(this.clock.now()));
    const accounts = new Map(listed.map((account) => [account.id, account]));
    for (const id of this.subscriptions.keys()) {
      // Before a sender was added, the subscription may have been returned.
      if (accounts.get(id)?.newestSender !== this.listing.accounts.get(id)?.newestSender) this.subscriptions.delete(id);
    }
    // The reading may have missed a change that was made meanwhile.
    this.listing = { accounts, until: changes === this.changes ? now + LIST_INTERVAL_MS : -Infinity };
    return accounts;
  }

  private stateOf(businessAccountId: string): Subscription {
    return this.subscriptions.get(businessAccountId) ?? FIRST;
  }

  private async check(
    wanted: WantedSubscription,
    businessAccountId: string,
    { known, everyMs }: { known: CheckedSubscription | undefined; everyMs: number },
    stopped: AbortSignal,
  ): Promise<void> {
    const before = this.stateOf(businessAccountId);
    // A process that has just started shares the recent checks of the others.
    const sharedMs = before.state === 'unknown' ? CHECK_INTERVAL_MS : everyMs;
    const freshMs = wanted.takeOver && known?.state === 'left' ? 0 : sharedMs;
    if (known && known.ageMs < freshMs) {
      const checkedAt = this.clock.monotonic() - known.ageMs + this.clock.jitter(JITTER_MS);
      this.subscriptions.set(businessAccountId, { failures: 0, state: known.state, checkedAt });
      return;
    }
    // Otherwise its result is known at the next round.
    if (!(await this.recorded.lease(businessAccountId, wanted.callbackUrl, LEASE_MS, freshMs))) return;
    const owners = await this.senders.ofBusinessAccount(businessAccountId);
    const next = owners.length > 0 ? await this.subscribe(wanted, businessAccountId, owners, before) : null;
    await this.recorded.checked(businessAccountId, next === null || 'failure' in next ? null : next.state);
    if (next === null) {
      this.listing.until = -Infinity;
      return;
    }
    if (stopped.aborted) return;
    // A refused token has its own warning.
    const isExplained = owners.every((owner) => this.senders.problemOf(owner) !== null);
    if ('failure' in next && !isExplained) this.telemetry.notSubscribed(businessAccountId, next.failure);
    this.subscriptions.set(businessAccountId, this.after(before, next, businessAccountId));
  }

  /** Returns the state of the subscription; null: no sender uses the business account any more. Throws only database errors. */
  private async subscribe(
    { callbackUrl, takeOver }: WantedSubscription,
    businessAccountId: string,
    owners: readonly Sender[],
    { failures }: Subscription,
  ): Promise<Attempt | null> {
    // Any of the tokens will do; one may have expired.
    const owner = owners[failures % owners.length]!;
    const present = await this.platform.present(businessAccountId, owner);
    if (typeof present === 'string') return { failure: present };
    const { recorded, restoredAt } = await this.recorded.find(businessAccountId);
    const isNew = restoredAt !== null && owners.every(({ id }) => uuidTime(id) > restoredAt);
    const facts = { ownUrl: callbackUrl, present, recorded, restoredAt, isNew, takeOver };
    const decision = subscriptionDecision(facts);
    if (decision === 'leave') return { state: 'left', addresses: present.addresses };
    if (decision === 'subscribe') {
      // Since `owners` were read, another process may have deleted them and ended the reports.
      if ((await this.senders.ofBusinessAccount(businessAccountId)).length === 0) return null;
      const failure = await this.platform.subscribe(businessAccountId, owner, callbackUrl);
      if (failure !== null) return { failure };
    }
    const isRecorded =
      recorded?.callbackUrl === callbackUrl && (restoredAt === null || recorded.recordedAt > restoredAt);
    if (!isRecorded) await this.recorded.record(businessAccountId, callbackUrl);
    return { state: 'own' };
  }

  private after(before: Subscription, next: Attempt, businessAccountId: string): Subscription {
    const { failures } = before;
    const checkedAt = this.clock.monotonic();
    if ('failure' in next) return { state: before.state, checkedAt, failures: failures + 1 };
    if (next.state === 'left' && before.state !== 'left') {
      this.telemetry.leftToOthers(businessAccountId, next.addresses);
    } else if (next.state === 'own' && (before.state !== 'own' || failures > 0)) {
      this.telemetry.subscribed(businessAccountId);
    }
    return { state: next.state, checkedAt, failures: 0 };
  }

  private health(): Health {
    const left = [...this.subscriptions].filter(([, { state }]) => state === 'left').map(([id]) => id);
    if (left.length === 0) return { ok: true };
    const reason = `the platform reports on business account ${left.join(', ')} to another address; if that is wrong, set PUBLIC_URL_TAKEOVER`;
    return { ok: false, reason };
  }
}

/** The pause after the last check. */
function pauseMs(last: Subscription, account: BusinessAccount): number {
  if (last.failures === 0) return intervalMs(account, last.state);
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(last.failures - 1, 10));
}

function intervalMs({ isReported, isIdle }: BusinessAccount, state: Subscription['state']): number {
  if (state !== 'own') return CHECK_INTERVAL_MS;
  if (isReported) return REPORTED_INTERVAL_MS;
  return isIdle ? IDLE_INTERVAL_MS : CHECK_INTERVAL_MS;
}
