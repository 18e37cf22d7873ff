import type { Database } from '../../src/infra/database/database';
import { describeOnDatabase } from '../support/databases';
import { documentedCode } from '../support/documented-code';

describeOnDatabase('The statements of docs/runbook.md', (open) => {
  const statements = documentedCode('runbook.md', 'sql').flatMap(({ section, code }) =>
    code
      .split(';')
      .filter((statement) => statement.trim() !== '')
      .map((statement): [string, string] => [section, statement]),
  );
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  it.each(statements)('run: %s', async (_, statement) => {
    expect(await database.rows(statement)).toEqual(expect.any(Array));
  });

  it('read only', () => {
    expect(statements.filter(([, statement]) => !/^\s*SELECT\b/.test(statement))).toEqual([]);
  });
});
