import { createHash } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSourceOptions } from 'typeorm';
import { openDataSource } from '../../src/infra/database/data-source';
import { SCHEMA } from '../../src/schema';
import type { OpenedSource } from './databases';

const ROOT = join(__dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/messaging-template-api');

/** The embedded database in a copy of its own, opened. */
export async function openEmbeddedCopy(entities: DataSourceOptions['entities']): Promise<OpenedSource> {
  const dataDir = await copyOfMigratedDirectory();
  const source = await openDataSource({ dataDir }, entities);
  return {
    source,
    async close() {
      await source.destroy();
      await rm(dataDir, { recursive: true });
    },
  };
}

/**
 * A new data directory with all tables and no rows, for the caller to remove: making one takes seconds, copying it
 * half of one.
 */
export async function copyOfMigratedDirectory(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mta-test-'));
  // The one that does not wait takes three times the processor time.
  cpSync(await migratedDirectory(), dataDir, { recursive: true });
  return dataDir;
}

/** Made once for each state of the schema, by whichever test comes first. */
async function migratedDirectory(): Promise<string> {
  const finished = join(CACHE, `data-${fingerprint()}`);
  if (existsSync(finished)) return finished;
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(join(CACHE, 'unfinished-'));
  const source = await openDataSource({ dataDir: unfinished, schema: SCHEMA }, []);
  await source.destroy();
  // Somebody else may have been faster: then theirs is as good.
  await rename(unfinished, finished).catch(() => rm(unfinished, { recursive: true }));
  return finished;
}

/** Changes with the schema, and with the month, for which the baseline makes partitions. */
function fingerprint(): string {
  const { baseline, upgrade, migrations } = SCHEMA;
  const schema = JSON.stringify([baseline(new Date()), upgrade, migrations]);
  return createHash('sha256').update(schema).digest('hex').slice(0, 16);
}
