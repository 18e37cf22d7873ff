import { Logger } from '@nestjs/common';
import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { EmbeddedDatabase } from './embedded-database';
import { retryOnConnectionLoss } from './connection-loss-retry';
import { migrate, type Schema } from './migrations';
import { connectToPostgres, rejectSharedSessions, postgresOptions } from './postgres-connection';

/** The database: the PostgreSQL of `databaseUrl`, or the embedded database in `dataDir`. */
export interface DatabaseOptions {
  databaseUrl?: string;
  /** Created if missing; not used with `databaseUrl`. */
  dataDir: string;
  /** Schema to migrate to; absent: the tables stay unchanged. */
  schema?: Schema;
  /** Maximum number of connections to PostgreSQL, at least 2; the driver's default if absent. The embedded database has one. */
  poolSize?: number;
}

/** A data source that begins no work on an almost full disk and, when destroyed, closes the embedded database after its own connection. */
class EmbeddedDataSource extends DataSource {
  constructor(
    options: DataSourceOptions,
    private readonly embedded: EmbeddedDatabase,
  ) {
    super(options);
  }

  override createQueryRunner(...mode: Parameters<DataSource['createQueryRunner']>): QueryRunner {
    this.embedded.reserve.check();
    return super.createQueryRunner(...mode);
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.embedded.close();
  }
}

/**
 * Opens the database and migrates its tables; starts over if the connection is lost meanwhile. Rejects with DatabaseUnreachableError if
 * PostgreSQL remains unreachable, with SharedSessionError if a connection pooler shares sessions, with DirectoryInUseError if another
 * process uses the data directory, with DatabaseTooOldError and MigrationsNotAllowedError; then leaves nothing open.
 */
export function openDataSource(options: DatabaseOptions, entities: DataSourceOptions['entities']): Promise<DataSource> {
  return retryOnConnectionLoss(() => open(options, entities));
}

async function open(options: DatabaseOptions, entities: DataSourceOptions['entities']): Promise<DataSource> {
  const source = options.databaseUrl
    ? await openPostgres(options.databaseUrl, options.poolSize, entities)
    : await openEmbedded(options.dataDir, entities);
  if (!options.schema) return source;
  try {
    const names = await migrate(source, options.schema, options.databaseUrl ? 'shared' : 'embedded');
    if (names.length > 0) new Logger('Migrations').log(`Migrated the database: ${names.join(', ')}`);
    return source;
  } catch (error) {
    await source.destroy();
    throw error;
  }
}

async function openPostgres(
  url: string,
  poolSize: number | undefined,
  entities: DataSourceOptions['entities'],
): Promise<DataSource> {
  const options = { ...postgresOptions(url, poolSize), ...sourceOptions(entities) };
  const source = await connectToPostgres(url, new DataSource(options));
  try {
    await rejectSharedSessions(url, source);
    return source;
  } catch (error) {
    await source.destroy();
    throw error;
  }
}

async function openEmbedded(dataDir: string, entities: DataSourceOptions['entities']): Promise<DataSource> {
  const embedded = await EmbeddedDatabase.open(dataDir);
  try {
    return await new EmbeddedDataSource({ ...embedded.connection, ...sourceOptions(entities) }, embedded).initialize();
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

function sourceOptions(entities: DataSourceOptions['entities']) {
  return { entities, installExtensions: false, synchronize: false, logging: false } as const;
}
