import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { DatabaseIdentity } from '../../../infra/database/database-identity';
import { RecordedSubscriptions } from '../domain/recorded-subscriptions.port';
import type { RecordedSubscription } from '../domain/webhook-subscription';

const RECORD = `
INSERT INTO webhook_subscriptions (business_account_id, callback_url, recorded_at) VALUES ($1, $2, clock_timestamp())
ON CONFLICT (business_account_id) DO UPDATE SET callback_url = EXCLUDED.callback_url, recorded_at = EXCLUDED.recorded_at`;

/** Stores subscriptions in the table `webhook_subscriptions`. */
@Injectable()
export class PostgresRecordedSubscriptions extends RecordedSubscriptions {
  constructor(
    private readonly database: Database,
    private readonly identity: DatabaseIdentity,
  ) {
    super();
  }

  async find(subject: string): ReturnType<RecordedSubscriptions['find']> {
    const [recorded] = await this.database.rows<RecordedSubscription>(
      `SELECT callback_url AS "callbackUrl", recorded_at AS "recordedAt" FROM webhook_subscriptions
       WHERE business_account_id = $1`,
      [subject],
    );
    return { recorded: recorded ?? null, restoredAt: await this.identity.restoredAt() };
  }

  async record(subject: string, callbackUrl: string): Promise<void> {
    await this.database.execute(RECORD, [subject, callbackUrl]);
  }
}
