import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { TrafficMarks } from '../../accounts/domain/traffic-marks';
import { SendersService } from '../../accounts/domain/senders.service';
import { TooManyReportsError, WebhookSignatureError } from './platform-webhook.errors';
import type { InboundMessage } from '../../messages/domain/inbound-message';
import { InboundReports } from './inbound-reports.service';
import { ParkedUpdates } from './parked-updates.port';
import type { OwnedNotice } from './platform-notice';
import { NoticeReports } from './notice-reports.service';
import { ReportOwners } from './report-owners';
import { ReportWriter } from './report-writer';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { StatusReports } from './status-reports.service';
import { WebhookTelemetry } from './webhook-telemetry';
import type { WebhookReading } from './webhook-report';
import { WebhookProtocol, type WebhookRequest } from './webhook-protocol.port';

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
    const secret = await this.secretOf(request);
    const body = request.body.toString('utf8');
    let reading: WebhookReading;
    try {
      reading = this.protocol.read(body, this.clock.now());
    } catch (error) {
      await this.updates.park('The body cannot be read', body, error);
      return;
    }
    await this.take(reading, secret);
  }

  /**
   * The app secret that signed a body, of the accounts that the body names and of the oldest ones, few altogether: a body
   * of anybody costs a few signatures, however many accounts there are. Throws WebhookSignatureError.
   */
  async secretOf(request: WebhookRequest): Promise<string> {
    const senders = await this.senders.all();
    const claimed = this.protocol.claimedBusinessAccounts(request.body);
    const named = senders.filter(({ businessAccountId }) => claimed.has(businessAccountId));
    const secrets = new Set([...named, ...senders].map(({ appSecret }) => appSecret));
    const secret = this.protocol.signingSecret(request, [...secrets].slice(0, MAX_SECRETS));
    if (secret !== null) return secret;
    this.telemetry.refused();
    throw new WebhookSignatureError();
  }

  /** Takes in what a body signed with `secret` says; see receive. */
  async take({ reports, ignored }: WebhookReading, secret: string): Promise<void> {
    for (const [kind, count] of ignored) this.telemetry.ignored(kind, count);
    const owners = new ReportOwners(await this.senders.all(), secret, this.telemetry);
    const owned = reports.map((report) => owners.ownedIn(report));
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

/** An oversized body is accepted when the queue is empty; otherwise the platform would repeat it forever. */
function isBeyond(most: number, pending: number, coming: number): boolean {
  return pending > 0 && coming > 0 && pending + coming > most;
}
