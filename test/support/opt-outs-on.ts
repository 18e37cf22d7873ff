import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { SystemClock } from '../../src/infra/system-clock';
import { PostgresEventOutbox } from '../../src/modules/events/adapters/postgres-event-outbox';
import { EventOutbox } from '../../src/modules/events/domain/event-outbox.service';
import { PostgresOptOutKeywordsStore } from '../../src/modules/groups/adapters/postgres-opt-out-keywords-store';
import { PostgresOptOutStore } from '../../src/modules/groups/adapters/postgres-opt-out-store';
import { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import type { PhoneBook } from '../../src/modules/groups/domain/phone-book.port';

/** The opt-outs of a database, for accounts whose numbers are written as digits. */
export function optOutsOn(database: Database): OptOutsService {
  const readerFor = () => Promise.resolve((text: string) => (/^\d{8,15}$/.test(text) ? text : null));
  return new OptOutsService(
    new PostgresOptOutStore(database),
    { readerFor } as Partial<PhoneBook> as PhoneBook,
    new SystemClock(),
    new TypeOrmUnitOfWork(database),
    new PostgresOptOutKeywordsStore(database),
    new EventOutbox(new PostgresEventOutbox(database)),
  );
}
