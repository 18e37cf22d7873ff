import { Logger } from '@nestjs/common';
import { openDataSource } from '../../src/infra/database/data-source';
import { SCHEMA } from '../../src/schema/schema';
import { freshDatabase, type OwnDatabase } from './process/databases';

declare global {
  /** The template of the run, dropped at its end. */
  var templateDatabase: OwnDatabase | undefined;
}

/** Creates the migrated database that suites on DATABASE_URL copy: migrating takes more than a second, a copy a fifth of one. */
export async function prepareTemplate(): Promise<void> {
  const url = process.env.DATABASE_URL;
  if (!url || globalThis.templateDatabase) return;
  Logger.overrideLogger(false);
  const template = await freshDatabase(url);
  globalThis.templateDatabase = template;
  const source = await openDataSource({ databaseUrl: template.url, dataDir: 'not used', schema: SCHEMA }, []);
  await source.destroy();
  process.env.TEMPLATE_DATABASE_URL = template.url;
}

/** Removes it. */
export async function dropTemplate(): Promise<void> {
  await globalThis.templateDatabase?.drop();
  globalThis.templateDatabase = undefined;
}
