import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../src/infra/database/migrations';

/** The statements of a migration, as it sends them, without comments and with single spaces. */
export async function statementsOf(Migration: (typeof MIGRATIONS)[number]): Promise<string[]> {
  const statements: string[] = [];
  const query = (sql: string) => {
    statements.push(sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim());
    return Promise.resolve();
  };
  await new Migration().up({ query } as unknown as QueryRunner);
  return statements;
}

/** The tables that the migrations make, the partitions of one table under its name. */
export async function tablesByPartition(): Promise<Map<string, string>> {
  const tables = new Map<string, string>();
  for (const statement of (await Promise.all(MIGRATIONS.map(statementsOf))).flat()) {
    for (const [, name, parent] of statement.matchAll(/CREATE TABLE (\w+)(?: PARTITION OF (\w+))?/g)) {
      tables.set(name!, parent ?? name!);
    }
    for (const [, name] of statement.matchAll(/DROP TABLE (\w+)/g)) tables.delete(name!);
  }
  return tables;
}
