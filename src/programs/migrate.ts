import { readCommandLine } from './command-line';
import { openDataSource } from '../infra/database/data-source';
import { runProgram } from './program';
import { SCHEMA } from '../schema/schema';

readCommandLine('migrate', 'Updates the database schema, then exits.');

/** `npm run migrate`: migrates the database and exits. */
runProgram(async ({ settings: { databaseUrl, dataDir }, logger }) => {
  const source = await openDataSource({ databaseUrl, dataDir, schema: SCHEMA }, []);
  await source.destroy();
  logger.info('The database is up to date');
});
