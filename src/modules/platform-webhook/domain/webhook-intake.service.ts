import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { TrafficMarks } from '../../accounts/domain/traffic-marks';
import { SendersService } from '../../accounts/domain/senders.service';
import { TooManyReportsError, WebhookSignatureError } from './platform-webhook.errors';
import type { Sender } from '../../accounts/domain/sender';
import { type InboundMessage, inboundMessageId } from '../../messages/domain/inbound-message';
import { InboundReports } from './inbound-reports.service';
import { ParkedUpdates } from './parked-updates.port';
import type { OwnedNotice } from './platform-notice';
import { NoticeReports } from './notice-reports.service';
import { ReportWriter } from './report-writer';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { StatusReports } from './status-reports.service';
import { WebhookTelemetry } from './webhook-telemetry';
import { WebhookProtocol, type WebhookReading, type WebhookReport, type WebhookRequest } from './webhook-protocol.port';

/** More statuses than the platform reports at once, and few enough for the memory. */
const MAX_PENDING = 50_000;
/** Messages and notices, whose texts may be long. */
const MAX_PENDING_LONG = 10_000;
/** Secrets that are tried on one body. One app signs it, and the accounts that it names usually share one. */
const MAX_SECRETS = 4;

/** Takes in what the platform reports. */
@Injectable()
export class WebhookIntake {
  private readonly updates: ReportWriter<StatusUpdate>;
  private readonly messages: ReportWriter<InboundMessage>;
  private readonly notices: ReportWriter<OwnedNotice>;
  /** Failed attempts with secrets of accounts that the body did not name: the next body starts with the next secrets. */
  private unnamedTried = 0;

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
   * Resolves when everything in the body is written or parked; rejects when the database is unavailable or busy, and the
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
    const { named, unnamed } = secretsOf(senders, this.protocol.claimedAccounts(request), this.unnamedTried);
    const secret = this.protocol.signingSecret(request, [...named, ...unnamed]);
    if (secret !== null) return secret;
    this.unnamedTried += unnamed.length;
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
      isBeyond(MAX_PENDING, this.updates.pending, statuses.length) ||
      isBeyond(MAX_PENDING_LONG, pendingLong, messages.length + notices.length);
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
 * Secrets of the accounts that a body names and, from the `first` one on, of others, few altogether: a body of anybody costs a
 * few signatures, however many accounts there are.
 */
function secretsOf(senders: readonly Sender[], businessAccountIds: ReadonlySet<string>, first: number) {
  const ofNamed = senders.filter(({ businessAccountId }) => businessAccountIds.has(businessAccountId));
  const named = [...new Set(ofNamed.map(({ appSecret }) => appSecret))].slice(0, MAX_SECRETS);
  const others = [...new Set(senders.map(({ appSecret }) => appSecret))].filter((secret) => !named.includes(secret));
  const from = first % Math.max(1, others.length);
  const unnamed = [...others.slice(from), ...others.slice(0, from)].slice(0, MAX_SECRETS - named.length);
  return { named, unnamed };
}

/** An oversized body is accepted when the queue is empty; otherwise the platform would repeat it forever. */
function isBeyond(most: number, pending: number, coming: number): boolean {
  return pending > 0 && coming > 0 && pending + coming > most;
}

/** What a report contains for accounts of this service. */
interface OwnedReports {
  statuses: StatusUpdate[];
  messages: InboundMessage[];
  notices: OwnedNotice[];
}

/** Finds the accounts that reports are about; accepts only reports signed with the account's own secret. */
class ReportOwners {
  private readonly numbers: ReadonlyMap<string, Sender>;

  constructor(
    private readonly senders: readonly Sender[],
    private readonly secret: string,
    private readonly telemetry: Pick<WebhookTelemetry, 'dropped' | 'ignored'>,
  ) {
    this.numbers = new Map(senders.map((sender) => [sender.phoneNumberId, sender]));
  }

  /** What of a report is accepted; the rest is counted. */
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
    // Without this, a client with an app secret of its own could write alerts about business accounts that are not its own.
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

/** A preference that names a phone number of the business concerns only that number. */
function ownersOf(notice: OwnedNotice['notice'], trusted: readonly Sender[]): OwnedNotice['owners'] {
  const named = notice.kind === 'preference' ? notice.phoneNumberId : null;
  return trusted
    .filter(({ phoneNumberId }) => named === null || named === phoneNumberId)
    .map(({ accountId, id: senderId }) => ({ accountId, senderId }));
}
