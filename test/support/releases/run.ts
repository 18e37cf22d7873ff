import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../../package.json';
import { checksumsOf, currentSchema, RECORDED, recordedVersions, recordedWith } from './checksums';
import { pack } from './packs';

/**
 * `npm run release:schema` records the checksums of what this version adds. `npm run release:pack` also packs the built service and marks the
 * version as released.
 */
const isRelease = process.argv.includes('--release');
const before = recordedVersions();
if (isRelease && before[version]?.released)
  throw new Error(`Version ${version} is released. Raise the version in package.json first.`);

const recorded = recordedWith(checksumsOf(currentSchema()), version, before);
const added = recorded[version]!;
if (isRelease) {
  const file = pack(join(__dirname, '../../../dist'));
  process.stdout.write(`${file}: ${(statSync(file).size / 1024 / 1024).toFixed(2)} MiB\n`);
  added.released = true;
}
writeFileSync(RECORDED, `${JSON.stringify(recorded, null, 2)}\n`);
const state = added.released ? 'released' : 'not released';
process.stdout.write(`${RECORDED}: ${Object.keys(added.checksums).length} migrations of ${version}, ${state}\n`);
