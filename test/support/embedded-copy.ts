import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSourceOptions } from 'typeorm';
import { openDataSource } from '../../src/infra/database/data-source';
import { SCHEMA } from '../../src/schema/schema';
import { copyFolder } from './copied-folder';
import type { OpenedSource } from './databases';

const ROOT = join(__dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/messaging-template-api');

/** Opens a fresh copy of the embedded database. */
export async function openEmbeddedCopy(entities: DataSourceOptions['entities']): Promise<OpenedSource> {
  const dataDir = await copyOfMigratedDirectory();
  const source = await openDataSource({ dataDir }, entities);
  return {
    source,
    async close() {
      await source.destroy();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/**
 * A new migrated, empty data directory, removed by the caller: creating one takes seconds, copying it half a second.
 */
export async function copyOfMigratedDirectory(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mta-test-'));
  copyFolder(await migratedDirectory(), dataDir);
  return dataDir;
}

/** Created once per schema version, by the first test that needs it. */
async function migratedDirectory(): Promise<string> {
  const finished = join(CACHE, `data-${fingerprint()}`);
  if (existsSync(finished)) return finished;
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(join(CACHE, 'unfinished-'));
  const source = await openDataSource({ dataDir: unfinished, schema: SCHEMA }, []);
  await source.destroy();
  // Another process may have created it first.
  await rename(unfinished, finished).catch(() => rm(unfinished, { recursive: true }));
  return finished;
}

/** Changes with the schema and the month, because the baseline creates monthly partitions. */
function fingerprint(): string {
  const { baseline, upgrade, migrations } = SCHEMA;
  const schema = JSON.stringify([baseline(new Date()), upgrade, migrations]);
  return createHash('sha256').update(schema).digest('hex').slice(0, 16);
}
