import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = join(__dirname, '../..');
const CRUISER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const RULES = join(ROOT, 'config/dependency-cruiser.cjs');

/** One forbidden import; for a cycle or an unused file, `to` is the closing or unused file. */
export interface Violation {
  rule: string;
  from: string;
  to: string;
}

interface CruiseOutput {
  modules: { source: string; coreModule?: boolean }[];
  summary: { violations: { rule: { name: string }; from: string; to: string }[] };
}

/** Applies the rules of the repository to the src, libs and config of a directory; `files` are those examined. */
export async function cruise(directory: string): Promise<{ files: string[]; violations: Violation[] }> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [CRUISER, '--config', RULES, '--output-type', 'json', 'src', 'libs', 'config'],
    { cwd: directory, maxBuffer: 256 * 1024 * 1024 },
  );
  const output = JSON.parse(stdout) as CruiseOutput;
  return {
    files: output.modules.map((module) => module.source).filter((file) => /^(src|libs|config)\//.test(file)),
    violations: output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
}
