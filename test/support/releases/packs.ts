import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { version as current } from '../../../package.json';
import { RELEASES } from './checksums';

const ROOT = join(__dirname, '../../..');
const ENDING = '.tar.br';
/** Programs of the service only, without source maps, stored code, licences, the console, the sandbox and the command line. */
const PACKED = [
  'config/plans.json',
  'load-bundle.cjs',
  'bundles/service.js',
  'bundles/packages.js',
  'bundles/reader.js',
  'libs/recipient-files',
  'src/main.js',
  'src/programs/migrate.js',
];
const SAME_EACH_TIME = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
const MAX_TAR_BYTES = 64 * 1024 * 1024;

const fileOf = (version: string): string => join(RELEASES, version + ENDING);

/** Packs the built service as this version, the same bytes each time, and removes all packs but the one before; returns the file. */
export function pack(dist: string): string {
  const tar = execFileSync('tar', ['-c', ...SAME_EACH_TIME, '-C', dist, ...PACKED], { maxBuffer: MAX_TAR_BYTES });
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  const kept = [current, versionBefore()];
  for (const version of packedVersions()) if (!kept.includes(version)) rmSync(fileOf(version));
  writeFileSync(fileOf(current), brotliCompressSync(tar, { params }));
  return fileOf(current);
}

/** The newest packed version before this one. */
export function versionBefore(): string {
  return packedVersions().findLast((version) => version !== current)!;
}

/** Unpacks a version beside the installed packages, which it loads; returns its `dist`, to be removed. */
export function unpack(version: string): string {
  const folder = join(ROOT, 'node_modules/.cache/releases');
  mkdirSync(folder, { recursive: true });
  const dist = mkdtempSync(join(folder, `${version}-`));
  execFileSync('tar', ['-x', '-C', dist], { input: brotliDecompressSync(readFileSync(fileOf(version))) });
  return dist;
}

/** Oldest first. */
function packedVersions(): string[] {
  const numbers = (version: string) =>
    version
      .split('.')
      .map((part) => part.padStart(6, '0'))
      .join();
  const files = readdirSync(RELEASES).filter((file) => file.endsWith(ENDING));
  return files.map((file) => file.slice(0, -ENDING.length)).sort((a, b) => (numbers(a) < numbers(b) ? -1 : 1));
}
