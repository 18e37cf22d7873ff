import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Database } from '../../src/infra/database/database';
import { openEmbeddedCopy } from './embedded-copy';
import { openPostgresDatabase } from './postgres-database';

/** A database opened by a test, and how to remove it. */
export interface OpenedSource {
  source: DataSource;
  close(): Promise<void>;
}

type EntityClass = new () => object;

/**
 * Runs a suite on the embedded database, or on PostgreSQL if DATABASE_URL is set. Each call of `open` creates a new
 * migrated, empty database, removed after the suite; `isShared`: several processes can use it.
 */
export function describeOnDatabase(
  name: string,
  suite: (open: () => Promise<Database>, isShared: boolean) => void,
): void {
  const isShared = Boolean(process.env.DATABASE_URL);
  describe(`${name} on ${isShared ? 'PostgreSQL' : 'the embedded database'}`, () => {
    const opened: OpenedSource[] = [];
    Logger.overrideLogger(false);
    suite(async () => {
      const one = await openSource(entities());
      opened.push(one);
      return new Database(one.source);
    }, isShared);
    // Declared after the suite's own hooks, so that it runs after them.
    afterAll(() => Promise.all(opened.map((one) => one.close())));
  });
}

/** A new database: on PostgreSQL if DATABASE_URL is set, otherwise embedded. */
export function openSource(entities: EntityClass[]): Promise<OpenedSource> {
  const url = process.env.DATABASE_URL;
  return url ? openPostgresDatabase(url, entities) : openEmbeddedCopy(entities);
}

/** Every entity of the service; the application collects them from its modules. */
function entities(): EntityClass[] {
  const src = join(__dirname, '../../src');
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.entity.ts'))
    .flatMap((file) => Object.values(jest.requireActual<Record<string, EntityClass>>(join(src, file))));
}
