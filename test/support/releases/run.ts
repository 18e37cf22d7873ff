import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../../package.json';
import { CHECKSUMS, checksumsOf, currentSchema, recordedChecksums, RELEASES } from './checksums';
import { pack } from './packs';

/** `npm run release:schema` records the checksums of what this version adds; `npm run release:pack` also packs the built service. */
const tags = execFileSync('git', ['tag', '--list', `v${version}`], { encoding: 'utf8' });
if (tags.trim() !== '') throw new Error(`Version ${version} is released. Raise the version in package.json first.`);

const recorded = recordedChecksums();
delete recorded[version];
const added = checksumsOf(currentSchema());
for (const [release, checksums] of Object.entries(recorded)) {
  for (const [name, checksum] of Object.entries(checksums)) {
    if (added[name] !== checksum)
      throw new Error(`${name} is part of release ${release}. Restore it and add a migration.`);
    delete added[name];
  }
}
mkdirSync(RELEASES, { recursive: true });
writeFileSync(CHECKSUMS, `${JSON.stringify({ ...recorded, [version]: added }, null, 2)}\n`);
process.stdout.write(`${CHECKSUMS}: ${Object.keys(added).length} migrations of ${version}\n`);

if (process.argv.includes('--pack')) {
  const file = pack(join(__dirname, '../../../dist'));
  process.stdout.write(`${file}: ${(statSync(file).size / 1024 / 1024).toFixed(2)} MiB\n`);
}
