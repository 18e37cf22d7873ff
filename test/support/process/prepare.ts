import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareTemplate } from '../template-database';
import { startService } from './service';

const CONFIG = join(__dirname, '../../../config');

/**
 * Builds what has changed, and prepares a database on DATABASE_URL, or a data directory of a started service, for every suite to copy: a
 * first start takes seconds.
 */
export default async function prepare(): Promise<void> {
  execFileSync(process.execPath, [join(CONFIG, 'build.cjs'), '--if-changed'], { stdio: 'inherit' });
  execFileSync(process.execPath, [join(CONFIG, 'jest/vendor.cjs')], { stdio: 'inherit' });
  if (process.env.DATABASE_URL) return prepareTemplate();
  const dataDir = join(mkdtempSync(join(tmpdir(), 'mta-prepared-')), 'data');
  process.env.E2E_PREPARED_DATA_DIR = dataDir;
  const service = await startService({ store: { dataDir, drop: () => Promise.resolve() } });
  await service.stop();
}
