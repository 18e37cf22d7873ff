import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { AccountDeletion, type AccountPart } from '../../accounts/domain/account-deletion';

const FIRST_JOB = 'SELECT id FROM bulk_jobs WHERE account_id = $1 ORDER BY id LIMIT 1';
const DELETE_RECIPIENTS = `
DELETE FROM job_recipients WHERE job_id = $1 AND position = ANY(ARRAY(
  SELECT position FROM job_recipients WHERE job_id = $1 ORDER BY position LIMIT $2))`;
const DELETE_JOB = 'DELETE FROM bulk_jobs WHERE id = $1';

/** Deletes the jobs of a deleted account with their recipients. */
@Injectable()
export class JobDeletion implements AccountPart {
  constructor(
    private readonly database: Database,
    deletion: AccountDeletion,
  ) {
    deletion.add(this);
  }

  async deleteSome(accountId: string, limit: number): Promise<number> {
    const [job] = await this.database.rows<{ id: string }>(FIRST_JOB, [accountId]);
    if (!job) return 0;
    const recipients = await this.database.execute(DELETE_RECIPIENTS, [job.id, limit]);
    if (recipients.affected > 0) return recipients.affected;
    await this.database.execute(DELETE_JOB, [job.id]);
    return 1;
  }
}
