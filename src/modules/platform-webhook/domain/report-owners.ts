import type { Sender } from '../../accounts/domain/sender';
import type { InboundMessage } from '../../messages/domain/inbound-message';
import { inboundMessageId } from '../../messages/domain/inbound-message';
import type { OwnedNotice } from './platform-notice';
import type { StatusUpdate } from '../../messages/domain/status-update';
import type { WebhookTelemetry } from './webhook-telemetry';
import type { WebhookReport } from './webhook-report';

/** What a report contains for accounts of this service. */
export interface OwnedReports {
  statuses: StatusUpdate[];
  messages: InboundMessage[];
  notices: OwnedNotice[];
}

/** Finds the accounts that reports are about; accepts only reports signed with the account's own secret. */
export class ReportOwners {
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
    // Events are stored whatever account they are about.
    const own = owned.filter(({ notice, owners }) => notice.kind === 'event' || owners.length > 0);
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
