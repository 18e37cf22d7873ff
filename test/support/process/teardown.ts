import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Removes the data directory prepared for the suites. */
export default async function clearAway(): Promise<void> {
  const dataDir = process.env.E2E_PREPARED_DATA_DIR;
  if (dataDir) await rm(dirname(dataDir), { recursive: true, force: true });
}
