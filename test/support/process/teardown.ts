import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { dropTemplate } from '../template-database';

/** Removes what was prepared for the suites to copy. */
export default async function clearAway(): Promise<void> {
  await dropTemplate();
  const dataDir = process.env.E2E_PREPARED_DATA_DIR;
  if (dataDir) await rm(dirname(dataDir), { recursive: true, force: true });
}
