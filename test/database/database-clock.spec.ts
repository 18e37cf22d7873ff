import type { Database } from '../../src/infra/database/database';
import { DatabaseClock } from '../../src/infra/database/database-clock';
import { SystemClock } from '../../src/infra/system-clock';
import { describeOnDatabase } from '../support/databases';

const FIVE_MINUTES_MS = 300_000;

describeOnDatabase('The clock of a process', (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  const aheadOfDatabase = async (clock: DatabaseClock) => {
    const [row] = await database.rows<{ ms: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
    );
    return clock.now().getTime() - row!.ms;
  };

  it.each([FIVE_MINUTES_MS, -FIVE_MINUTES_MS])(
    "is that of the database if the machine's is off by %i ms",
    async (shift) => {
      const machine = new (class extends SystemClock {
        override now(): Date {
          return new Date(Date.now() + shift);
        }
      })();
      const clock = await DatabaseClock.started(database, machine);
      expect(Math.abs(await aheadOfDatabase(clock))).toBeLessThan(1000);
      await clock.onModuleDestroy();
    },
  );

  it('is that of the machine until the database has been read', async () => {
    const clock = await DatabaseClock.started({ rows: () => Promise.reject(new Error('unavailable')) });
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(1000);
    await clock.onModuleDestroy();
  });
});
