import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file for PLANS_FILE with one plan whose limits no benchmark reaches. */
export function boundlessPlans(folder: string): string {
  const file = join(folder, 'plans.json');
  const plan = { requestsPerSecond: 100_000, burst: 100_000, maxRowsPerFile: 1_000_000 };
  writeFileSync(file, JSON.stringify({ Enterprise: plan }));
  return file;
}
