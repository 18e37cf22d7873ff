import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { Database } from './database';

/** Keeps the transaction in the async context, so that the domain does not depend on it. */
@Injectable()
export class TypeOrmUnitOfWork extends UnitOfWork {
  constructor(private readonly database: Database) {
    super();
  }

  run<T>(work: () => Promise<T>, lockWaitMs?: number): Promise<T> {
    return this.database.transaction(work, lockWaitMs);
  }

  afterCommit(action: () => void): void {
    this.database.afterCommit(action);
  }
}
