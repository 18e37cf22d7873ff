import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SendersService } from '../../accounts/domain/senders.service';
import { OptOutsService } from '../../groups/domain/opt-outs.service';
import { TemplateReports } from '../../templates/domain/template-reports';
import { Identities } from './identities';
import { PlatformEvents } from './platform-events.port';
import type { OwnedNotice, PlatformEvent } from './platform-notice';

/** Applies the platform's notices to business accounts. */
@Injectable()
export class NoticeReports {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly templates: TemplateReports,
    private readonly identities: Identities,
    private readonly optOuts: OptOutsService,
    private readonly senders: SendersService,
    private readonly events: PlatformEvents,
  ) {}

  /** Applies all notices or none; returns the new events among them. */
  async apply(notices: readonly OwnedNotice[]): Promise<PlatformEvent[]> {
    const identities = byAccount(notices, (notice) => (notice.kind === 'identity' ? notice.change : null));
    const events = await this.unitOfWork.run(async () => {
      const reports = byAccount(notices, (notice, { businessAccountId }) =>
        notice.kind === 'template' ? { businessAccountId, report: notice.report } : null,
      );
      for (const [accountId, ofAccount] of reports) {
        for (const businessAccountId of new Set(ofAccount.map((one) => one.businessAccountId))) {
          const own = ofAccount.filter((one) => one.businessAccountId === businessAccountId);
          await this.templates.apply(
            { accountId, businessAccountId },
            own.map(({ report }) => report),
          );
        }
      }
      for (const [accountId, ofAccount] of identities) await this.identities.change(accountId, ofAccount);
      const preferences = byAccount(notices, (notice) => (notice.kind === 'preference' ? notice.preference : null));
      for (const [accountId, ofAccount] of preferences) await this.optOuts.applyPreferences(accountId, ofAccount);
      const limited = notices.flatMap(({ notice, owners }) => (notice.kind === 'limits' ? owners : []));
      if (limited.length > 0) {
        const senderIds = [...new Set(limited.map(({ senderId }) => senderId))];
        this.unitOfWork.afterCommit(() => this.senders.limitsChanged(senderIds));
      }
      const reported = notices.flatMap(({ notice }) => (notice.kind === 'event' ? [notice.event] : []));
      return reported.length > 0 ? this.events.store(reported) : [];
    });
    const changed = identities.flatMap(([accountId, changes]) =>
      changes.map(({ after: { userId } }) => ({ accountId, userId })),
    );
    await this.identities.join(changed);
    return events;
  }
}

/** The results of `of`, grouped by account, ordered by id; each notice counts once per account. */
function byAccount<Found>(
  notices: readonly OwnedNotice[],
  of: (notice: OwnedNotice['notice'], owner: OwnedNotice['owners'][number]) => Found | null,
): [string, Found[]][] {
  const found = new Map<string, Found[]>();
  for (const { notice, owners } of notices) {
    for (const owner of new Map(owners.map((one) => [one.accountId, one])).values()) {
      const one = of(notice, owner);
      if (one !== null) found.set(owner.accountId, [...(found.get(owner.accountId) ?? []), one]);
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}
