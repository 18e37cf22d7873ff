import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import type { CloudApiReply } from '../../../infra/cloud-api/cloud-api-reply';
import { Clock } from '../../../kernel/clock';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { WebhookJournal } from '../domain/webhook-journal';
import { WebhookVerifyToken } from './platform-webhook.controller';

const LOOK_EVERY_MS = 5_000;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 120_000;
/** The platform may forget: what is said again does no harm. */
const RENEW_MS = 3_600_000;

interface Subscription {
  /** Monotonic time of the next request to subscribe. */
  dueAt: number;
  failures: number;
}

/**
 * Has the platform report on every business account to this service, from a few seconds after its account was made. A
 * refusal is repeated with growing pauses, and never stops anything else.
 */
@Injectable()
export class PlatformSubscriptions implements OnModuleDestroy {
  private readonly stopped = new AbortController();
  private readonly subscriptions = new Map<string, Subscription>();

  constructor(
    private readonly senders: SendersService,
    private readonly client: CloudApiClient,
    private readonly expected: WebhookVerifyToken,
    private readonly journal: WebhookJournal,
    private readonly clock: Clock,
  ) {}

  /** Begins to subscribe `callbackUrl`, which must answer already: the platform verifies it during the call. */
  start(callbackUrl: string): void {
    void this.keepSubscribed(callbackUrl);
  }

  onModuleDestroy(): void {
    this.stopped.abort();
  }

  private async keepSubscribed(callbackUrl: string): Promise<void> {
    while (!this.stopped.signal.aborted) {
      // The senders cannot be read while the database is away: the next look finds them again.
      const senders = await this.senders.all().catch((): Sender[] => []);
      const accounts = new Map<string, Sender[]>();
      for (const sender of senders) {
        accounts.set(sender.businessAccountId, [...(accounts.get(sender.businessAccountId) ?? []), sender]);
      }
      for (const [businessAccountId, owners] of accounts) {
        if (this.stopped.signal.aborted) return;
        await this.subscribeIfDue(callbackUrl, businessAccountId, owners);
      }
      await this.clock.sleep(LOOK_EVERY_MS, this.stopped.signal);
    }
  }

  private async subscribeIfDue(
    callbackUrl: string,
    businessAccountId: string,
    owners: readonly Sender[],
  ): Promise<void> {
    const { dueAt, failures } = this.subscriptions.get(businessAccountId) ?? { dueAt: 0, failures: 0 };
    if (this.clock.monotonic() < dueAt) return;
    const reply = await this.client.call({
      method: 'POST',
      path: `/${businessAccountId}/subscribed_apps`,
      // Any of the tokens will do, and one of them may be out of date.
      accessToken: owners[failures % owners.length]!.accessToken,
      body: { override_callback_uri: callbackUrl, verify_token: this.expected.verifyToken },
    });
    if (this.stopped.signal.aborted) return;
    if (reply.kind === 'answer') {
      if (dueAt === 0 || failures > 0) this.journal.subscribed(businessAccountId);
      this.subscriptions.set(businessAccountId, { dueAt: this.clock.monotonic() + RENEW_MS, failures: 0 });
      return;
    }
    this.journal.notSubscribed(businessAccountId, reasonOf(reply));
    const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 10));
    this.subscriptions.set(businessAccountId, { dueAt: this.clock.monotonic() + pause, failures: failures + 1 });
  }
}

function reasonOf(reply: Exclude<CloudApiReply, { kind: 'answer' }>): string {
  return reply.kind === 'refusal' ? `${reply.error.message} (code ${reply.error.code})` : reply.reason;
}
