import { type PageAnswer, pageAnswer } from '../../../infra/http/lists/page.dto';
import type { Slice } from '../../../kernel/page';
import type { BulkJobsService } from '../domain/bulk-jobs.service';
import { BulkJobDto } from './bulk-jobs.dto';
import { BulkJobsQueryDto } from './bulk-jobs.query.dto';

/** The jobs of an account that a client lists, by pages or by cursors. */
export async function listedJobs(
  jobs: BulkJobsService,
  accountId: string,
  query: BulkJobsQueryDto,
): Promise<PageAnswer<BulkJobDto> | Slice<BulkJobDto>> {
  const { cursor, pageSize: limit } = query;
  const filter = BulkJobsQueryDto.filterOf(query);
  const found =
    cursor === undefined
      ? pageAnswer(await jobs.list(accountId, filter, query))
      : await jobs.slice(accountId, filter, { cursor, limit });
  return { ...found, items: found.items.map((progress) => BulkJobDto.listed(progress, query)) };
}
