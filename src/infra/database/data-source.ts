import { Logger } from '@nestjs/common';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { EmbeddedDatabase } from './embedded-database';
import { migrate, MIGRATIONS } from './migrations';
import { connectToPostgres, postgresOptions } from './postgres-connection';

/** Where the tables are: the PostgreSQL of `databaseUrl`, or the embedded database inside `dataDir`. */
export interface DatabaseOptions {
  databaseUrl?: string;
  /** Made if it is missing; not used with `databaseUrl`. */
  dataDir: string;
  /** Bring the tables up to date before anything else uses them. */
  runMigrations: boolean;
  /** Connections to PostgreSQL, at most; default 20. The embedded database has one. */
  poolSize?: number;
}

/** A data source that, when destroyed, closes the embedded database after its own connection. */
class EmbeddedDataSource extends DataSource {
  constructor(
    options: DataSourceOptions,
    private readonly embedded: EmbeddedDatabase,
  ) {
    super(options);
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.embedded.close();
  }
}

/**
 * Opens the database and, if told so, migrates it. Rejects with DatabaseUnreachableError when PostgreSQL stays away,
 * and with DirectoryInUseError when another process has the data directory open; nothing stays open then.
 */
export async function openDataSource(
  options: DatabaseOptions,
  entities: DataSourceOptions['entities'],
): Promise<DataSource> {
  const source = options.databaseUrl
    ? await openPostgres(options.databaseUrl, options.poolSize, entities)
    : await openEmbedded(options.dataDir, entities);
  if (!options.runMigrations) return source;
  try {
    const names = await migrate(source, options.databaseUrl ? 'shared' : 'embedded');
    if (names.length > 0) new Logger('Migrations').log(`Migrated the database: ${names.join(', ')}`);
    return source;
  } catch (error) {
    await source.destroy();
    throw error;
  }
}

function openPostgres(
  url: string,
  poolSize: number | undefined,
  entities: DataSourceOptions['entities'],
): Promise<DataSource> {
  return connectToPostgres(url, new DataSource({ ...postgresOptions(url, poolSize), ...ours(entities) }));
}

async function openEmbedded(dataDir: string, entities: DataSourceOptions['entities']): Promise<DataSource> {
  const embedded = await EmbeddedDatabase.open(dataDir);
  try {
    return await new EmbeddedDataSource({ ...embedded.connection, ...ours(entities) }, embedded).initialize();
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

function ours(entities: DataSourceOptions['entities']) {
  return { entities, migrations: MIGRATIONS, installExtensions: false, synchronize: false, logging: false } as const;
}
