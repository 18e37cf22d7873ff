import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { ATTRIBUTE_NAMES, MEMBERS } from '../../src/modules/groups/adapters/group-members.sql';
import { describeOnDatabase } from '../support/databases';
import { ExplainedPlans, type Reading } from '../support/explained-plans';

const CONTACTS = 200_000;
/** Of a page. */
const LIMIT = 500;

const contactId = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

class Undo extends Error {}

describeOnDatabase('Plans of the pages of an audience', (open, isShared) => {
  // The embedded database holds less, and replans every statement.
  if (!isShared) return it('are read on PostgreSQL', () => undefined);
  const readings: Record<string, Reading>[] = [];

  beforeAll(async () => {
    const database: Database = await open();
    const [accountId, ...groups] = [uuidV7(), uuidV7(), uuidV7(), uuidV7()] as [string, string, string, string];
    const [one, two, excluded] = groups;
    const fill = async (): Promise<void> => {
      await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [accountId]);
      await database.execute(
        `INSERT INTO contacts (id, account_id, phone, phone_key, attributes)
         SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, n::text, n::text, '{"City": "Bonn", "Note": "x"}'
         FROM generate_series(1, $2::int) n`,
        [accountId, CONTACTS],
      );
      for (const [id, first, last] of [
        [one, 1, 100_000],
        [two, 50_001, 150_000],
        [excluded, 100_001, 200_000],
      ] as const) {
        await database.execute(`INSERT INTO contact_groups (id, account_id, name) VALUES ($1::uuid, $2, $3)`, [
          ...[id, accountId, id],
        ]);
        await database.execute(
          `INSERT INTO contact_group_members
           SELECT $1::uuid, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid FROM generate_series($2::int, $3::int) n`,
          [id, first, last],
        );
      }
    };
    const page = (after: number) => ({
      text: MEMBERS,
      parameters: [accountId, [one, two], [excluded], contactId(after), LIMIT, ['City']],
    });
    const plans = new ExplainedPlans(database, {
      first_page: page(0),
      middle_page: page(75_000),
      excluded_page: page(120_000),
      attribute_names: { text: ATTRIBUTE_NAMES, parameters: [accountId, [one, two], 200] },
    });
    const work = async (): Promise<void> => {
      await database.execute('SET LOCAL statement_timeout = 0');
      await plans.prepare();
      await fill();
      readings.push(await plans.read(() => 'generic'));
      await database.execute('ANALYZE');
      readings.push(await plans.read(() => 'generic'), await plans.read(() => 'custom'));
      throw new Undo();
    };
    await database.transaction(work).catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  }, 300_000);

  it('scan no table, and read only the rows of a page, wherever it is', () => {
    expect(readings).toHaveLength(3);
    const tooMuch = readings.flatMap((reading) =>
      Object.entries(reading).filter(([, { whole, rows }]) => whole.length > 0 || rows > 5 * LIMIT),
    );
    expect(tooMuch).toEqual([]);
  });
});
