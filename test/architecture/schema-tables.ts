import type { Migration } from '../../src/infra/database/migrations';
import { SCHEMA } from '../../src/schema/schema';

/** The statements of a migration, without comments and with single spaces. */
export function statementsOf({ statements }: Pick<Migration, 'statements'>): string[] {
  return statements.map((sql) => sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim());
}

/** The tables of the schema, with partitions under the name of their table. */
export function tablesByPartition(): Map<string, string> {
  const tables = new Map<string, string>();
  const baseline = { statements: SCHEMA.baseline(new Date()) };
  for (const statement of [baseline, ...SCHEMA.migrations].flatMap(statementsOf)) {
    for (const [, name, parent] of statement.matchAll(/CREATE TABLE (\w+)(?: PARTITION OF (\w+))?/g)) {
      tables.set(name!, parent ?? name!);
    }
    for (const [, name] of statement.matchAll(/DROP TABLE (\w+)/g)) tables.delete(name!);
  }
  return tables;
}
