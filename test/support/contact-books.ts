import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresContactStore } from '../../src/modules/groups/adapters/postgres-contact-store';
import { PostgresGroupStore } from '../../src/modules/groups/adapters/postgres-group-store';
import { PostgresOptOutStore } from '../../src/modules/groups/adapters/postgres-opt-out-store';
import type { ContactStore } from '../../src/modules/groups/domain/contact-store.port';
import type { GroupStore } from '../../src/modules/groups/domain/group-store.port';
import type { OptOutStore } from '../../src/modules/groups/domain/opt-out-store.port';
import { InMemoryContactBook } from '../fakes/in-memory-contact-book';
import { describeOnDatabase } from './databases';

/** The stores that share the contact book. */
export interface ContactBook {
  groups: GroupStore;
  contacts: ContactStore;
  optOuts: OptOutStore;
  newAccount(): Promise<string>;
}

/** Runs a suite on the in-memory contact book and on a database. */
export function describeContactBooks(name: string, suite: (open: () => Promise<ContactBook>) => void): void {
  describe(`${name} in memory`, () => {
    suite(() => {
      const { groups, contacts, optOuts } = new InMemoryContactBook();
      return Promise.resolve({ groups, contacts, optOuts, newAccount: () => Promise.resolve(uuidV7()) });
    });
  });
  describeOnDatabase(name, (open) => {
    suite(async () => {
      const database = await open();
      return {
        groups: new PostgresGroupStore(database),
        contacts: new PostgresContactStore(database),
        optOuts: new PostgresOptOutStore(database),
        async newAccount() {
          const id = uuidV7();
          await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Test', 'Free')`, [id]);
          return id;
        },
      };
    });
  });
}
