import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { SendersService } from '../../accounts/domain/senders.service';
import { TooManyReportsError, WebhookSignatureError } from './chat-history.errors';
import type { InboundMessage } from './inbound-message';
import { InboundMessages } from './inbound-messages.service';
import { ParkedUpdates } from './parked-updates.port';
import type { OwnedNotice } from './platform-notice';
import { PlatformNotices } from './platform-notices.service';
import { PlatformStatuses } from './platform-statuses.service';
import { ReportOwners } from './report-owners';
import { ReportWriter } from './report-writer';
import type { StatusUpdate } from './status-update';
import { WebhookJournal } from './webhook-journal';
import type { WebhookReading } from './webhook-report';
import { signingSecret } from './webhook-signature';

/** More than the platform has under way at once, and little enough to be held. */
const MAX_PENDING = 50_000;
/** Of what may be long. */
const MAX_PENDING_LONG = 10_000;

/** Takes in what the platform reports: all of it is written, or put aside, when `take` resolves. */
@Injectable()
export class WebhookIntake {
  private readonly updates: ReportWriter<StatusUpdate>;
  private readonly messages: ReportWriter<InboundMessage>;
  private readonly notices: ReportWriter<OwnedNotice>;

  constructor(
    private readonly senders: SendersService,
    statuses: PlatformStatuses,
    inbound: InboundMessages,
    platformNotices: PlatformNotices,
    parked: ParkedUpdates,
    private readonly journal: WebhookJournal,
    clock: Clock,
  ) {
    const parts = { parked, journal, clock };
    this.updates = new ReportWriter(async (updates) => {
      const { unmatched } = await statuses.apply(updates);
      journal.applied(updates, unmatched);
    }, parts);
    this.messages = new ReportWriter(async (messages) => {
      const { repeated } = await inbound.take(messages);
      journal.received(messages.length - repeated, repeated);
    }, parts);
    this.notices = new ReportWriter(async (notices) => {
      const fresh = await platformNotices.apply(notices);
      journal.heeded(notices.filter(({ notice }) => notice.kind !== 'event').length);
      for (const { kind, businessAccountId, alert } of fresh) {
        if (alert !== null) journal.alerted(kind, businessAccountId, alert);
      }
    }, parts);
  }

  /** The app secret that signed a body; throws WebhookSignatureError when none of ours did. */
  async secretOf(body: Buffer, signature: string | undefined): Promise<string> {
    const senders = await this.senders.all();
    const secret = signingSecret(body, signature, new Set(senders.map(({ appSecret }) => appSecret)));
    if (secret !== null) return secret;
    this.journal.refused();
    throw new WebhookSignatureError();
  }

  /** Takes in a body that `secret` signed; rejects when the database cannot take it now: then it is to be repeated. */
  async take({ reports, ignored }: WebhookReading, secret: string): Promise<void> {
    for (const [kind, count] of ignored) this.journal.ignored(kind, count);
    const owners = new ReportOwners(await this.senders.all(), secret, this.journal);
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
  }

  /** Puts a body aside that is signed well and cannot be read. */
  parkBody(body: string, error: unknown): Promise<void> {
    return this.updates.park('The body cannot be read', body, error);
  }
}

/** A body that is too much by itself would be repeated for ever: alone it may come. */
function isBeyond(most: number, pending: number, coming: number): boolean {
  return pending > 0 && coming > 0 && pending + coming > most;
}
