import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '../..');
const run = promisify(execFile);

/** The client library bundled for browsers: one minified module. */
export async function browserBundle(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'browser-bundle-'));
  const outfile = join(folder, 'client.js');
  const browser = ['--bundle', '--minify', '--format=esm', '--platform=browser', '--target=es2022'];
  const entry = join(ROOT, 'libs/client/public-api.ts');
  try {
    await run(join(ROOT, 'node_modules/.bin/esbuild'), [entry, ...browser, `--outfile=${outfile}`]);
    return await readFile(outfile, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
