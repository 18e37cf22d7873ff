import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from './service';

/** Makes one migrated data directory that every suite copies: a first start takes seconds, a later one does not. */
export default async function prepare(): Promise<void> {
  if (process.env.DATABASE_URL) return;
  const dataDir = join(mkdtempSync(join(tmpdir(), 'mta-prepared-')), 'data');
  process.env.E2E_PREPARED_DATA_DIR = dataDir;
  const service = await startService({ store: { dataDir, drop: () => Promise.resolve() } });
  await service.stop();
}
