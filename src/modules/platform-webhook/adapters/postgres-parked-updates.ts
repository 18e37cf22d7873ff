import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { isTransientError } from '../../../infra/database/transient-error';
import { Clock } from '../../../kernel/clock';
import { uuidV7 } from '../../../kernel/uuid';
import { type ParkedUpdate, ParkedUpdates } from '../domain/parked-updates.port';

/** Stores parked reports in the table `parked_updates`. */
@Injectable()
export class PostgresParkedUpdates extends ParkedUpdates {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  async park({ reason, body }: ParkedUpdate): Promise<void> {
    // PostgreSQL cannot store U+0000.
    const values = [reason, body].map((text) => text.replaceAll('\u0000', '\uFFFD'));
    await this.database.execute('INSERT INTO parked_updates (id, reason, body, received_at) VALUES ($1, $2, $3, $4)', [
      uuidV7(),
      ...values,
      this.clock.now(),
    ]);
  }

  isTransient(error: unknown): boolean {
    return isTransientError(error);
  }
}
