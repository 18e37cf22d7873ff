import type { BulkJobDto } from '../../../client/generated/types.gen';
import { statusPollOf } from './status-poll';

const MINUTE = 60_000;

/** A job of 10 sent messages that ended `minutes` ago. */
function job(changes: Partial<BulkJobDto>, minutes: number | null = 1): BulkJobDto {
  const completedAt = minutes === null ? null : new Date(Date.now() - minutes * MINUTE).toISOString();
  const status = minutes === null ? 'Processing' : 'Completed';
  return { status, completedAt, successfullySent: 10, delivered: 0, undelivered: 0, read: 0, ...changes } as BulkJobDto;
}

describe('The delivery statuses of a job', () => {
  it.each([
    ['soon while messages are neither delivered nor undelivered', job({ delivered: 8, undelivered: 1 }), 3000],
    ['also before the job has ended', job({ delivered: 8 }, null), 3000],
    ['less often while delivered messages are not read', job({ delivered: 9, undelivered: 1, read: 8 }), 15_000],
    ['no longer once all are read', job({ delivered: 9, undelivered: 1, read: 9 }), false],
    ['no longer ten minutes after the end', job({ delivered: 9 }, 10), false],
    ['not while the job is paused', job({ delivered: 9, status: 'Paused' }, null), false],
  ])('are polled %s', (_, of, ms) => {
    expect(statusPollOf(of)).toBe(ms);
  });
});
