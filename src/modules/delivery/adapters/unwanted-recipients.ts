import type { Database } from '../../../infra/database/database';
import type { OptOutsService } from '../../groups/domain/opt-outs.service';
import type { LaneJob } from '../domain/lane-store.port';
import { IS_MARKETING } from './lane-store.sql';

/**
 * The phones of those who do not want the messages of this job, as of this moment: they have opted out of all messages, or
 * of marketing if it is that.
 */
export async function unwanted(
  database: Database,
  optOuts: OptOutsService,
  { id, accountId }: Pick<LaneJob, 'id' | 'accountId'>,
  recipients: readonly { phone: string }[],
): Promise<Set<string>> {
  const scopes = await optOuts.standing(
    accountId,
    recipients.map(({ phone }) => phone),
  );
  const ofAll = [...scopes].filter(([, scope]) => scope === 'All').map(([phone]) => phone);
  if (ofAll.length === scopes.size) return new Set(ofAll);
  const isMarketing = (await database.rows(IS_MARKETING, [id])).length > 0;
  return new Set(isMarketing ? scopes.keys() : ofAll);
}
