import type { Sender } from '../../accounts/domain/sender';
import type { InboundMessage } from './inbound-message';
import { inboundMessageId } from './inbound-message';
import type { OwnedNotice } from './platform-notice';
import type { StatusUpdate } from './status-update';
import type { WebhookJournal } from './webhook-journal';
import type { WebhookReport } from './webhook-report';

/** What is in a report for accounts of this service. */
export interface OwnedReports {
  statuses: StatusUpdate[];
  messages: InboundMessage[];
  notices: OwnedNotice[];
}

/** Knows whose reports are whose. Nobody's are believed but those that his own secret signed. */
export class ReportOwners {
  private readonly numbers: ReadonlyMap<string, Sender>;

  constructor(
    private readonly senders: readonly Sender[],
    private readonly secret: string,
    private readonly journal: Pick<WebhookJournal, 'dropped' | 'ignored'>,
  ) {
    this.numbers = new Map(senders.map((sender) => [sender.phoneNumberId, sender]));
  }

  /** What of a report may be believed; the rest is counted. */
  ownedIn(report: WebhookReport): OwnedReports {
    const { businessAccountId, statuses, messages, notices } = report;
    const owners = this.senders.filter((sender) => sender.businessAccountId === businessAccountId);
    const believed = owners.filter(({ appSecret }) => appSecret === this.secret);
    if (owners.length > 0 && believed.length === 0) {
      this.journal.dropped(businessAccountId, Math.max(1, statuses.length + messages.length + notices.length));
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
        ([{ phoneNumberId: _, stampMs, ...message }, { accountId }]): InboundMessage => ({
          ...message,
          id: inboundMessageId(accountId, message.platformMessageId, stampMs),
          accountId,
        }),
      ),
      notices: this.ofAccounts(notices, believed),
    };
  }

  private ofAccounts(notices: WebhookReport['notices'], believed: readonly Sender[]): OwnedNotice[] {
    const owned = notices.map((notice) => ({ notice, owners: ownersOf(notice, believed) }));
    // What nobody acts upon is kept, whomever it is about.
    const own = owned.filter(({ notice, owners }) => notice.kind === 'event' || owners.length > 0);
    if (own.length < owned.length) this.journal.ignored('notice_of_unknown_account', owned.length - own.length);
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
    if (known.length < items.length) this.journal.ignored(unknown, items.length - known.length);
    if (own.length < known.length) this.journal.dropped(businessAccountId, known.length - own.length);
    return own;
  }
}

/** A preference that names a number of the business is about that one alone. */
function ownersOf(notice: OwnedNotice['notice'], believed: readonly Sender[]): OwnedNotice['owners'] {
  const named = notice.kind === 'preference' ? notice.phoneNumberId : null;
  return believed
    .filter(({ phoneNumberId }) => named === null || named === phoneNumberId)
    .map(({ accountId, id: senderId }) => ({ accountId, senderId }));
}
