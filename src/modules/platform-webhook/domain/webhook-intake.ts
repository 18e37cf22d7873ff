import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { TrafficMarks } from '../../accounts/domain/traffic-marks';
import { SendersService } from '../../accounts/domain/senders.service';
import { TooManyReportsError, WebhookSignatureError } from './platform-webhook.errors';
import type { ReportedSender } from '../../accounts/domain/sender';
import { type InboundMessage, inboundMessageId } from '../../messages/domain/inbound-message';
import { InboundReports } from './inbound-reports';
import { ParkedUpdates } from './parked-updates.port';
import type { OwnedNotice, PlatformEvent } from './platform-notice';
import { NoticeReports } from './notice-reports';
import { traceReports } from './report-span';
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
/** Ids at the start of an unverified body that are looked up. */
const MAX_CLAIMED = 50;
/** Senders whose secrets are read to find a few different ones. */
const OTHERS_AT_ONCE = 20;

/** Verifies, reads and stores the platform's reports. */
@Injectable()
export class WebhookIntake {
  private readonly updates: ReportWriter<StatusUpdate, { unmatched: number }>;
  private readonly messages: ReportWriter<InboundMessage, { repeated: number }>;
  private readonly notices: ReportWriter<OwnedNotice, PlatformEvent[]>;
  /** The last sender not in the body whose secret did not sign a body; the next body continues after it. */
  private lastTried: string | null = null;

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
    this.updates = new ReportWriter(
      statusReports,
      (updates, { unmatched }) => telemetry.applied(updates, unmatched),
      parts,
    );
    this.messages = new ReportWriter(
      inboundReports,
      (messages, { repeated }) => telemetry.received(messages.length - repeated, repeated),
      parts,
    );
    const noticesApplied = (notices: readonly OwnedNotice[], fresh: readonly PlatformEvent[]): void => {
      telemetry.noticesApplied(notices.filter(({ notice }) => notice.kind !== 'event').length);
      for (const { kind, businessAccountId, alert } of fresh) {
        if (alert !== null) telemetry.alerted(kind, businessAccountId, alert);
      }
    };
    this.notices = new ReportWriter(noticeReports, noticesApplied, parts);
  }

  /**
   * Resolves when the whole body is written or parked; rejects if the database is unavailable or busy, so that the
   * platform repeats the body. Throws WebhookSignatureError, TooManyReportsError.
   */
  async receive(request: WebhookRequest): Promise<void> {
    const begunAt = this.clock.monotonic();
    const secret = await this.verify(request);
    let reading: WebhookReading;
    try {
      reading = this.protocol.read(request, this.clock.now());
    } catch (error) {
      await this.updates.park('The body cannot be read', request.body.toString('utf8'), error);
      return;
    }
    await this.apply(reading, await this.ownersOf(reading, secret), begunAt);
  }

  /** The secret that signed the body. Throws WebhookSignatureError. */
  private async verify(request: WebhookRequest): Promise<string> {
    const ids = [...this.protocol.claimedAccounts(request)].slice(0, MAX_CLAIMED);
    const owners = await this.senders.with('businessAccountId', ids);
    const claimed = [...new Set(owners.map(({ appSecret }) => appSecret))].slice(0, MAX_SECRETS);
    const secret = this.protocol.signingSecret(request, claimed) ?? (await this.secretOfOthers(request, claimed));
    if (secret !== null) return secret;
    this.telemetry.refused();
    throw new WebhookSignatureError();
  }

  /**
   * The secret of an account not in the body, or null. Limited, so that an unverified body costs only a few signature checks, however many
   * accounts there are.
   */
  private async secretOfOthers(request: WebhookRequest, claimed: readonly string[]): Promise<string | null> {
    const others = await this.senders.appSecrets(this.lastTried, OTHERS_AT_ONCE);
    const secrets = new Set<string>();
    // After the last sender, the first one follows.
    let last = others.length < OTHERS_AT_ONCE ? null : others.at(-1)!.senderId;
    for (const { senderId, appSecret } of others) {
      if (claimed.includes(appSecret) || secrets.has(appSecret)) continue;
      if (secrets.size === MAX_SECRETS - claimed.length) break;
      secrets.add(appSecret);
      if (secrets.size === MAX_SECRETS - claimed.length) last = senderId;
    }
    const secret = this.protocol.signingSecret(request, secrets);
    if (secret === null) this.lastTried = last;
    return secret;
  }

  private async ownersOf({ reports }: WebhookReading, secret: string): Promise<ReportOwners> {
    const numbers = reports.flatMap(({ statuses, messages }) => [...statuses, ...messages]);
    const [owners, senders] = await Promise.all([
      this.senders.with(
        'businessAccountId',
        reports.map(({ businessAccountId }) => businessAccountId),
      ),
      this.senders.with(
        'phoneNumberId',
        numbers.map(({ phoneNumberId }) => phoneNumberId),
      ),
    ]);
    return new ReportOwners(owners, senders, secret, this.telemetry);
  }

  private async apply(reading: WebhookReading, owners: ReportOwners, begunAt: number): Promise<void> {
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
    const ms = this.clock.monotonic() - begunAt;
    const { ended, ...trace } = traceReports({ statuses, messages: messages.length, ms });
    try {
      await Promise.all([
        ...statuses.map((update) => this.updates.submit(update)),
        ...messages.map((message) => this.messages.submit({ ...message, ...trace })),
        ...notices.map((notice) => this.notices.submit(notice)),
      ]);
    } catch (error) {
      ended('not_stored');
      throw error;
    }
    ended();
    const now = this.clock.now();
    for (const senderId of new Set(statuses.map((status) => status.senderId))) this.traffic.reported(senderId, now);
  }
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
  private readonly numbers: ReadonlyMap<string, ReportedSender>;

  constructor(
    /** The senders of the business accounts. */
    private readonly owners: readonly ReportedSender[],
    /** Those of the phone numbers. */
    senders: readonly ReportedSender[],
    private readonly secret: string,
    private readonly telemetry: Pick<WebhookTelemetry, 'dropped' | 'ignored'>,
  ) {
    this.numbers = new Map(senders.map((sender) => [sender.phoneNumberId, sender]));
  }

  /** Returns the accepted parts of a report; counts the rest. */
  ownedIn(report: WebhookReport): OwnedReports {
    const { businessAccountId, statuses, messages, notices } = report;
    const owners = this.owners.filter((sender) => sender.businessAccountId === businessAccountId);
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
        ([{ phoneNumberId: _, timestampMs, ...message }, { accountId, id: senderId }]): InboundMessage => ({
          ...message,
          id: inboundMessageId(accountId, message.platformMessageId, timestampMs),
          accountId,
          senderId,
        }),
      ),
      notices: this.ofAccounts(notices, trusted),
    };
  }

  private ofAccounts(notices: WebhookReport['notices'], trusted: readonly ReportedSender[]): OwnedNotice[] {
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
  ): [Item, ReportedSender][] {
    const known = items.flatMap((item): [Item, ReportedSender][] => {
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
function ownersOf(notice: OwnedNotice['notice'], trusted: readonly ReportedSender[]): OwnedNotice['owners'] {
  const onlyNumber = notice.kind === 'preference' ? notice.phoneNumberId : null;
  return trusted
    .filter(({ phoneNumberId }) => onlyNumber === null || onlyNumber === phoneNumberId)
    .map(({ accountId, businessAccountId, id: senderId }) => ({ accountId, businessAccountId, senderId }));
}
