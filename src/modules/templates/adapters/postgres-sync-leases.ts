import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { SyncLeases } from '../domain/sync-leases.port';

const ACQUIRE = `
INSERT INTO template_syncs (account_id, owner, lease_until)
VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
ON CONFLICT (account_id) DO UPDATE SET owner = EXCLUDED.owner, lease_until = EXCLUDED.lease_until
WHERE template_syncs.lease_until < clock_timestamp()`;

const RENEW = `
UPDATE template_syncs SET lease_until = clock_timestamp() + make_interval(secs => $3)
WHERE account_id = $1 AND owner = $2`;

/** Leases in the table `template_syncs`, by the clock of the database, which all processes share. */
@Injectable()
export class PostgresSyncLeases extends SyncLeases {
  constructor(private readonly database: Database) {
    super();
  }

  async acquire(accountId: string, owner: string, seconds: number): Promise<boolean> {
    return (await this.database.execute(ACQUIRE, [accountId, owner, seconds])).affected === 1;
  }

  async renew(accountId: string, owner: string, seconds: number): Promise<boolean> {
    return (await this.database.execute(RENEW, [accountId, owner, seconds])).affected === 1;
  }

  async release(accountId: string, owner: string): Promise<void> {
    await this.database.execute('DELETE FROM template_syncs WHERE account_id = $1 AND owner = $2', [accountId, owner]);
  }
}
