import { readSettings } from '../config/settings';
import { openDataSource } from './infra/database/data-source';

/** `npm run migrate`: migrates the database and ends. */
async function migrate(): Promise<void> {
  const { databaseUrl, dataDir } = readSettings();
  const source = await openDataSource({ databaseUrl, dataDir, runMigrations: true }, []);
  await source.destroy();
  process.stdout.write('The database is up to date.\n');
}

migrate().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
