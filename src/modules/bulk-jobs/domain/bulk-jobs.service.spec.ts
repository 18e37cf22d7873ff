import { unreadAuditLog } from '../../../../test/support/audit';
import type { TimeZones } from './time-zones.port';
import type { Clock } from '../../../kernel/clock';
import type { UnitOfWork } from '../../../kernel/unit-of-work';
import type { SendersService } from '../../accounts/domain/senders.service';
import type { SenderSignal } from '../../sending/domain/sender-signal';
import type { TemplatesService } from '../../templates/domain/templates.service';
import type { BulkJob } from './bulk-job';
import type { BulkJobStore } from './bulk-job-store.port';
import { BulkJobsService } from './bulk-jobs.service';
import type { JobRecipient } from './job-recipient';
import type { SendForecasts } from './send-forecasts';

/** Lists a job of `total` recipients of which those at `positions` match: returns the listed positions and the cursor. */
function listOf(total: number, positions: readonly number[]) {
  const store = {
    find: () => Promise.resolve({ totalRecipients: total, recipientsExpiredAt: null } as BulkJob),
    recipients: (_job: BulkJob, _filter: object, after: number, limit: number, last: number) =>
      Promise.resolve(
        positions
          .filter((position) => position > after && position <= last)
          .slice(0, limit)
          .map((position) => ({ position }) as JobRecipient),
      ),
  } as unknown as BulkJobStore;
  const service = new BulkJobsService(
    ...([store, {} as Clock, {} as SenderSignal, {} as TemplatesService] as const),
    { giveUpAfterMs: 0, graceMs: 0 },
    ...([{} as SendForecasts, {} as UnitOfWork, {} as TimeZones, {} as SendersService, unreadAuditLog()] as const),
  );
  return async (afterPosition: number) => {
    const slice = await service.recipients('account', 'job', { status: 'Read' }, { afterPosition, limit: 2 });
    return [slice.items.map(({ position }) => position), slice.nextCursor];
  };
}

describe('The list of recipients', () => {
  it('continues after the last listed recipient', async () => {
    const list = listOf(9, [1, 4, 5, 8]);

    expect(await list(0)).toEqual([[1, 4], '4']);
    expect(await list(4)).toEqual([[5, 8], null]);
  });

  it('searches a large job in ranges, and returns a cursor even if a range has no match', async () => {
    const list = listOf(120_000, [49_999, 100_001]);

    expect(await list(0)).toEqual([[49_999], '50000']);
    expect(await list(50_000)).toEqual([[], '100000']);
    expect(await list(100_000)).toEqual([[100_001], null]);
    expect(await list(120_000)).toEqual([[], null]);
  });
});
