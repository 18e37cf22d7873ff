import { unreadAuditLog } from './audit';
import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { SystemClock } from '../../src/infra/system-clock';
import { PostgresEventOutbox } from '../../src/modules/events/adapters/postgres-event-outbox';
import { EventOutbox } from '../../src/modules/events/domain/event-outbox';
import { PostgresKnownNumberStore } from '../../src/modules/groups/adapters/postgres-known-number-store';
import { PostgresOptOutKeywordsStore } from '../../src/modules/groups/adapters/postgres-opt-out-keywords-store';
import { PostgresOptOutStore } from '../../src/modules/groups/adapters/postgres-opt-out-store';
import { KnownNumbers } from '../../src/modules/groups/domain/known-numbers';
import { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { internationalPhoneBook } from './phone-book';

/** The numbers known in a database. */
export function knownNumbersOn(database: Database): KnownNumbers {
  return new KnownNumbers(new PostgresKnownNumberStore(database));
}

/** The opt-outs of a database, for accounts with numbers as digits. */
export function optOutsOn(database: Database): OptOutsService {
  return new OptOutsService(
    new PostgresOptOutStore(database),
    knownNumbersOn(database),
    internationalPhoneBook(),
    new SystemClock(),
    new TypeOrmUnitOfWork(database),
    new PostgresOptOutKeywordsStore(database),
    new EventOutbox(new PostgresEventOutbox(database)),
    unreadAuditLog(),
  );
}
