import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from '../../libs/cli/program';
import { versionBefore } from '../support/releases/packs';
import { ROOT } from './cruise';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const parsed = <T>(file: string): T => JSON.parse(read(file)) as T;
interface Package {
  version: string;
  workspaces: string[];
}

describe('The version in package.json', () => {
  const { version, workspaces } = parsed<Package>('package.json');

  it('is that of the workspaces and of the lock file', () => {
    const { packages } = parsed<{ packages: Record<string, Package> }>('package-lock.json');
    const versions = workspaces.flatMap((folder) => [
      parsed<Package>(`${folder}/package.json`).version,
      packages[folder]!.version,
    ]);
    expect(new Set([...versions, packages['']!.version])).toEqual(new Set([version]));
  });

  it('is that of the API document and of the command line', () => {
    expect(parsed<{ info: object }>('docs/openapi.json').info).toMatchObject({ version });
    const program = buildProgram({ signal: AbortSignal.abort(), ended: { code: 0 } });
    expect(program.version()).toBe(version);
  });

  it('is the newest release of the changelog, with a date', () => {
    const [newest] = [...read('CHANGELOG.md').matchAll(/^## (?!Unreleased)(.*)$/gm)].map(([, heading]) => heading);
    expect(newest).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d$`));
  });

  it('has a packed version before it, for the kill test `upgrade`', () => {
    expect(versionBefore()).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
