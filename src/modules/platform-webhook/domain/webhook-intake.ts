import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { TrafficMarks } from '../../accounts/domain/traffic-marks';
import { SendersService } from '../../accounts/domain/senders.service';
import { TooManyReportsError, WebhookSignatureError } from './platform-webhook.errors';
import type { Sender } from '../../accounts/domain/sender';
import { type InboundMessage, inboundMessageId } from '../../messages/domain/inbound-message';
import { InboundReports } from './inbound-reports';
import { ParkedUpdates } from './parked-updates.port';
import type { OwnedNotice } from './platform-notice';
import { NoticeReports } from './notice-reports';
import { ReportWriter } from './report-writer';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { StatusReports } from './status-reports';
import { WebhookTelemetry } from './webhook-telemetry';
import { WebhookProtocol, type WebhookReading, type WebhookReport, type WebhookRequest } from './webhook-protocol.port';

/** More statuses than the platform sends in one body, and few enough for memory. */
const MAX_PENDING = 50_000;
/** Limit of messages and notices, whose texts may be long. */
const MAX_PENDING_LONG = 10_000;
/** Secrets tried per body. One app signs it, and its accounts usually share one secret. */
const MAX_SECRETS = 4;

/** Verifies, reads and stores the platform's reports. */
@Injectable()
export class WebhookIntake {
  private readonly updates: ReportWriter<StatusUpdate>;
  private readonly messages: ReportWriter<InboundMessage>;
  private readonly notices: ReportWriter<OwnedNotice>;
  /** Failed attempts with secrets of accounts not in the body; the next body continues with the next secrets. */
  private othersTried = 0;

  constructor(
    private readonly protocol: WebhookProtocol,
    private readonly senders: SendersService,
    statusReports: StatusReports,
    inboundReports: InboundReports,
    noticeReports: NoticeReports,
    parked: ParkedUpdates,
    private readonly telemetry: WebhookTelemetry,
    private readonly clock: Clock,
    private readonly traffic: TrafficMarks,
  ) {
    const parts = { parked, telemetry, clock };
    this.updates = new ReportWriter(async (updates) => {
      const { unmatched } = await statusReports.apply(updates);
      telemetry.applied(updates, unmatched);
    }, parts);
    this.messages = new ReportWriter(async (messages) => {
      const { repeated } = await inboundReports.apply(messages);
      telemetry.received(messages.length - repeated, repeated);
    }, parts);
    this.notices = new ReportWriter(async (notices) => {
      const fresh = await noticeReports.apply(notices);
      telemetry.noticesApplied(notices.filter(({ notice }) => notice.kind !== 'event').length);
      for (const { kind, businessAccountId, alert } of fresh) {
        if (alert !== null) telemetry.alerted(kind, businessAccountId, alert);
      }
    }, parts);
  }

  /**
   * Resolves when the whole body is written or parked; rejects if the database is unavailable or busy, so that the
   * platform repeats the body. Throws WebhookSignatureError, TooManyReportsError.
   */
  async receive(request: WebhookRequest): Promise<void> {
    const senders = await this.senders.all();
    const secret = this.verify(request, senders);
    let reading: WebhookReading;
    try {
      reading = this.protocol.read(request, this.clock.now());
    } catch (error) {
      await this.updates.park('The body cannot be read', request.body.toString('utf8'), error);
      return;
    }
    await this.apply(reading, new ReportOwners(senders, secret, this.telemetry));
  }

  /** The secret that signed the body. Throws WebhookSignatureError. */
  private verify(request: WebhookRequest, senders: readonly Sender[]): string {
    const { claimed, others } = secretsOf(senders, this.protocol.claimedAccounts(request), this.othersTried);
    const secret = this.protocol.signingSecret(request, [...claimed, ...others]);
    if (secret !== null) return secret;
    this.othersTried += others.length;
    this.telemetry.refused();
    throw new WebhookSignatureError();
  }

  private async apply(reading: WebhookReading, owners: ReportOwners): Promise<void> {
    for (const [kind, count] of reading.ignored) this.telemetry.ignored(kind, count);
    const owned = reading.reports.map((report) => owners.ownedIn(report));
    const statuses = owned.flatMap((one) => one.statuses);
    const messages = owned.flatMap((one) => one.messages);
    const notices = owned.flatMap((one) => one.notices);
    const pendingLong = this.messages.pending + this.notices.pending;
    const isFull =
      exceeds(MAX_PENDING, this.updates.pending, statuses.length) ||
      exceeds(MAX_PENDING_LONG, pendingLong, messages.length + notices.length);
    if (isFull) throw new TooManyReportsError();
    await Promise.all([
      ...statuses.map((update) => this.updates.submit(update)),
      ...messages.map((message) => this.messages.submit(message)),
      ...notices.map((notice) => this.notices.submit(notice)),
    ]);
    const now = this.clock.now();
    for (const senderId of new Set(statuses.map((status) => status.senderId))) this.traffic.reported(senderId, now);
  }
}

/**
 * Secrets of the accounts in a body, then of others from index `first` on. Limited, so that an unverified body costs
 * only a few signature checks, however many accounts there are.
 */
function secretsOf(senders: readonly Sender[], businessAccountIds: ReadonlySet<string>, first: number) {
  const owners = senders.filter(({ businessAccountId }) => businessAccountIds.has(businessAccountId));
  const claimed = [...new Set(owners.map(({ appSecret }) => appSecret))].slice(0, MAX_SECRETS);
  const rest = [...new Set(senders.map(({ appSecret }) => appSecret))].filter((secret) => !claimed.includes(secret));
  const from = first % Math.max(1, rest.length);
  const others = [...rest.slice(from), ...rest.slice(0, from)].slice(0, MAX_SECRETS - claimed.length);
  return { claimed, others };
}

/** An oversized body is accepted when the queue is empty; otherwise the platform would repeat it forever. */
function exceeds(limit: number, pending: number, incoming: number): boolean {
  return pending > 0 && incoming > 0 && pending + incoming > limit;
}

/** The parts of a report for accounts of this service. */
interface OwnedReports {
  statuses: StatusUpdate[];
  messages: InboundMessage[];
  notices: OwnedNotice[];
}

/** Finds the accounts of reports; accepts only reports signed with the account's own secret. */
class ReportOwners {
  private readonly numbers: ReadonlyMap<string, Sender>;

  constructor(
    private readonly senders: readonly Sender[],
    private readonly secret: string,
    private readonly telemetry: Pick<WebhookTelemetry, 'dropped' | 'ignored'>,
  ) {
    this.numbers = new Map(senders.map((sender) => [sender.phoneNumberId, sender]));
  }

  /** Returns the accepted parts of a report; counts the rest. */
  ownedIn(report: WebhookReport): OwnedReports {
    const { businessAccountId, statuses, messages, notices } = report;
    const owners = this.senders.filter((sender) => sender.businessAccountId === businessAccountId);
    const trusted = owners.filter(({ appSecret }) => appSecret === this.secret);
    if (owners.length > 0 && trusted.length === 0) {
      this.telemetry.dropped(businessAccountId, Math.max(1, statuses.length + messages.length + notices.length));
      return { statuses: [], messages: [], notices: [] };
    }
    return {
      statuses: this.ofNumbers(businessAccountId, statuses, 'status_of_unknown_number').map(
        ([{ phoneNumberId: _, ...status }, sender]): StatusUpdate => ({
          ...status,
          accountId: sender.accountId,
          senderId: sender.id,
        }),
      ),
      messages: this.ofNumbers(businessAccountId, messages, 'message_of_unknown_number').map(
        ([{ phoneNumberId: _, timestampMs, ...message }, { accountId }]): InboundMessage => ({
          ...message,
          id: inboundMessageId(accountId, message.platformMessageId, timestampMs),
          accountId,
        }),
      ),
      notices: this.ofAccounts(notices, trusted),
    };
  }

  private ofAccounts(notices: WebhookReport['notices'], trusted: readonly Sender[]): OwnedNotice[] {
    const owned = notices.map((notice) => ({ notice, owners: ownersOf(notice, trusted) }));
    // Otherwise a client with its own app secret could write alerts about foreign business accounts.
    const own = owned.filter(({ owners }) => owners.length > 0);
    if (own.length < owned.length) this.telemetry.ignored('notice_of_unknown_account', owned.length - own.length);
    return own;
  }

  private ofNumbers<Item extends { phoneNumberId: string }>(
    businessAccountId: string,
    items: readonly Item[],
    unknown: string,
  ): [Item, Sender][] {
    const known = items.flatMap((item): [Item, Sender][] => {
      const sender = this.numbers.get(item.phoneNumberId);
      return sender ? [[item, sender]] : [];
    });
    const own = known.filter(([, { appSecret }]) => appSecret === this.secret);
    if (known.length < items.length) this.telemetry.ignored(unknown, items.length - known.length);
    if (own.length < known.length) this.telemetry.dropped(businessAccountId, known.length - own.length);
    return own;
  }
}

/** A preference with a phone number of the business applies only to that number. */
function ownersOf(notice: OwnedNotice['notice'], trusted: readonly Sender[]): OwnedNotice['owners'] {
  const onlyNumber = notice.kind === 'preference' ? notice.phoneNumberId : null;
  return trusted
    .filter(({ phoneNumberId }) => onlyNumber === null || onlyNumber === phoneNumberId)
    .map(({ accountId, id: senderId }) => ({ accountId, senderId }));
}
