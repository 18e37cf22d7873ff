import type { DataSourceOptions } from 'typeorm';
import { openDataSource } from '../../src/infra/database/data-source';
import { SCHEMA } from '../../src/schema/schema';
import type { OpenedSource } from './databases';
import { preparedDatabase } from './process/databases';

/** A new, migrated database on the server at `url`, whose user must be allowed to create databases. */
export async function openPostgresDatabase(
  url: string,
  entities: DataSourceOptions['entities'],
): Promise<OpenedSource> {
  const own = await preparedDatabase(url);
  const source = await openDataSource(
    { databaseUrl: own.url, dataDir: 'not used', schema: SCHEMA, poolSize: 10 },
    entities,
  );
  return {
    source,
    async close() {
      await source.destroy();
      await own.drop();
    },
  };
}
