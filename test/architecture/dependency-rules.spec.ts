import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, ROOT, type Violation } from './cruise';

interface Rule {
  name: string;
  from: { path?: string; pathNot?: string };
}

const RULES = jest.requireActual<{ forbidden: Rule[] }>('../../config/dependency-cruiser.cjs').forbidden;

jest.setTimeout(300_000);

/** A small application that obeys every rule: each file with its imports. */
const LAWFUL: Record<string, string[]> = {
  'src/main.ts': ['./app.module', '../config/settings', '../libs/platform-sandbox/sandbox', '@nestjs/core'],
  'src/programs/migrate.ts': ['../infra/database', '../../config/settings'],
  'src/app.module.ts': [
    './modules/delivery/delivery.module',
    './infra/database',
    './infra/tracing/open-telemetry',
    '../config/settings',
  ],
  'src/kernel/clock.ts': [],
  'src/kernel/id.ts': ['./clock', 'node:crypto'],
  'src/infra/cloud-api/client.ts': ['undici'],
  'src/infra/database.ts': ['../kernel/id', 'typeorm', 'node:fs'],
  'src/infra/tracing/open-telemetry.ts': ['../../kernel/id', '@opentelemetry/api'],
  'src/modules/accounts/domain/accounts.service.ts': ['../../../kernel/id'],
  'src/modules/accounts/accounts.module.ts': ['./domain/accounts.service', '../../../config/settings'],
  'src/modules/sending/domain/sending.service.ts': ['./sending.port', '@nestjs/common', 'node:crypto'],
  'src/modules/sending/domain/sending.port.ts': ['../../accounts/domain/accounts.service'],
  'src/modules/sending/adapters/sender.ts': [
    '../domain/sending.port',
    '../../accounts/domain/accounts.service',
    '../../../infra/database',
    '../../../../libs/recipient-files/read',
    'typeorm',
  ],
  'src/modules/sending/adapters/sending.dto.ts': ['@nestjs/swagger'],
  'src/modules/sending/adapters/cloud-api-sender.ts': ['../domain/sending.port', '../../../infra/cloud-api/client'],
  'src/modules/sending/sending.module.ts': [
    './adapters/sender',
    './adapters/cloud-api-sender',
    './domain/sending.service',
    '../accounts/accounts.module',
    '../../infra/database',
    '../../../config/settings',
  ],
  'src/modules/delivery/domain/delivery.service.ts': ['../../sending/domain/sending.service'],
  'src/modules/delivery/adapters/delivery.controller.ts': ['../../sending/adapters/sending.dto'],
  'src/modules/delivery/delivery.module.ts': [
    './adapters/delivery.controller',
    './domain/delivery.service',
    '../sending/sending.module',
  ],
  'src/modules/delivery/domain/delivery.service.spec.ts': ['./delivery.service', 'typeorm'],
  'libs/recipient-files/read.ts': ['./rows', 'csv-parse', 'node:fs'],
  'libs/recipient-files/rows.ts': [],
  'libs/platform-sandbox/main.ts': ['./sandbox'],
  'libs/platform-sandbox/sandbox.ts': ['undici'],
  'libs/cli/main.ts': ['../client/public-api', 'commander', 'node:fs'],
  'libs/console/main.ts': ['./app/console.tsx', 'react'],
  'libs/console/theme.ts': [],
  'libs/console/app/console.tsx': ['../../client/generated/sdk.gen'],
  'libs/client/public-api.ts': ['./generated/sdk.gen'],
  'libs/client/generated/sdk.gen.ts': ['./client/index'],
  'libs/client/generated/client/index.ts': [],
  'config/settings.ts': ['zod', 'node:fs'],
};

const PORT = 'src/modules/sending/domain/sending.port.ts';
const DOMAIN = 'src/modules/delivery/domain/planted.ts';
const ADAPTER = 'src/modules/delivery/adapters/planted.ts';
const MODULE = 'src/modules/delivery/planted.module.ts';

/** One forbidden import for each line of the table: the violated rule, the file, its import. */
const PLANTED: [rule: string, file: string, target: string][] = [
  ['kernel-imports-nothing', 'src/kernel/planted.ts', 'src/infra/database.ts'],
  ['kernel-imports-nothing', 'src/kernel/planted-package.ts', 'typeorm'],
  ['kernel-imports-nothing', 'src/kernel/planted-system.ts', 'node:fs'],
  ['domain-without-technology', DOMAIN, 'src/modules/sending/adapters/sender.ts'],
  ['domain-without-technology', DOMAIN, 'src/infra/database.ts'],
  ['domain-without-technology', DOMAIN, 'config/settings.ts'],
  ['domain-without-technology', DOMAIN, 'libs/recipient-files/read.ts'],
  ['domain-without-technology', DOMAIN, 'src/modules/sending/sending.module.ts'],
  ['domain-without-technology', 'src/modules/sending/domain/planted.ts', 'src/modules/sending/adapters/sender.ts'],
  ['domain-uses-no-packages', DOMAIN, 'typeorm'],
  ['domain-uses-no-packages', DOMAIN, '@nestjs/core'],
  ['domain-uses-no-system', DOMAIN, 'node:fs'],
  ['domain-keeps-its-ports', DOMAIN, PORT],
  ['adapters-stay-in-their-module', ADAPTER, 'src/modules/sending/adapters/sender.ts'],
  ['adapters-stay-in-their-module', ADAPTER, PORT],
  ['only-cloud-api-adapters-use-the-cloud-api', ADAPTER, 'src/infra/cloud-api/client.ts'],
  ['adapters-receive-their-settings', ADAPTER, 'config/settings.ts'],
  ['adapters-receive-their-settings', ADAPTER, 'src/modules/sending/sending.module.ts'],
  ['adapters-receive-their-settings', ADAPTER, 'src/app.module.ts'],
  ['only-main-starts-the-sandbox', ADAPTER, 'libs/platform-sandbox/sandbox.ts'],
  ['module-files-wire-their-own-module', MODULE, 'src/modules/sending/adapters/sender.ts'],
  ['module-files-wire-their-own-module', MODULE, 'src/modules/sending/domain/sending.service.ts'],
  ['module-files-import-no-libraries', MODULE, 'libs/recipient-files/read.ts'],
  ['module-tree-sending', 'src/modules/sending/domain/up.ts', 'src/modules/delivery/domain/delivery.service.ts'],
  ['module-tree-accounts', 'src/modules/accounts/domain/up.ts', 'src/modules/sending/domain/sending.service.ts'],
  ['infra-without-business', 'src/infra/planted.ts', 'src/modules/sending/domain/sending.service.ts'],
  ['infra-without-business', 'src/infra/planted.ts', 'config/settings.ts'],
  ['settings-are-read-at-the-top', 'src/infra/planted.ts', 'config/settings.ts'],
  ['only-tracing-uses-open-telemetry', ADAPTER, '@opentelemetry/api'],
  ['only-tracing-uses-open-telemetry', 'src/infra/planted.ts', '@opentelemetry/sdk-trace-base'],
  ['start-files-start-modules', 'src/planted.ts', 'libs/recipient-files/read.ts'],
  ['only-main-starts-the-sandbox', 'src/planted.ts', 'libs/platform-sandbox/sandbox.ts'],
  ['settings-import-nothing', 'config/planted.ts', 'src/kernel/id.ts'],
  ['libs-stand-alone', 'libs/recipient-files/planted.ts', 'libs/platform-sandbox/sandbox.ts'],
  ['libs-stand-alone', 'libs/recipient-files/planted.ts', 'src/kernel/id.ts'],
  ['command-line-is-a-client', 'libs/cli/planted.ts', 'src/kernel/id.ts'],
  ['command-line-is-a-client', 'libs/cli/planted.ts', 'libs/platform-sandbox/sandbox.ts'],
  ['console-is-a-client', 'libs/console/planted.tsx', 'src/kernel/id.ts'],
  ['console-is-a-client', 'libs/console/planted.tsx', 'libs/recipient-files/read.ts'],
  ['console-runs-in-browsers', 'libs/console/planted-system.ts', 'node:fs'],
  ['console-is-not-imported', 'src/planted.ts', 'libs/console/theme.ts'],
  ['console-is-not-imported', 'libs/client/planted.ts', 'libs/console/theme.ts'],
  ['client-runs-anywhere', 'libs/client/planted.ts', 'undici'],
  ['client-runs-anywhere', 'libs/client/planted-system.ts', 'node:fs'],
  ['no-barrels', 'src/kernel/planted-barrel.ts', 'src/kernel/index.ts'],
  ['programs-without-tests', 'src/infra/planted-test.ts', 'src/modules/delivery/domain/delivery.service.spec.ts'],
  ['resolvable', 'src/infra/planted-nowhere.ts', './nowhere'],
];

/** Writes the files into a new directory next to the packages of this repository, cruises it and removes it. */
async function cruiseTree(tree: Record<string, string[]>): Promise<Violation[]> {
  const directory = await mkdtemp(join(tmpdir(), 'architecture-'));
  try {
    await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
    await symlink(join(ROOT, 'package.json'), join(directory, 'package.json'));
    for (const [file, imports] of Object.entries(tree)) {
      await mkdir(dirname(join(directory, file)), { recursive: true });
      const lines = imports.map((path, index) => `import type { A as A${index} } from '${path}';`);
      await writeFile(join(directory, file), [...lines, 'export type A = string;'].join('\n'));
    }
    return (await cruise(directory)).violations;
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** How a file imports another one, or a package. */
function importPath(file: string, target: string): string {
  if (!/^(src|libs|config)\//.test(target)) return target;
  return '../'.repeat(file.split('/').length - 1) + target.replace(/\.tsx?$/, '');
}

describe('The dependency rules', () => {
  it('accept a valid application', async () => {
    expect(await cruiseTree(LAWFUL)).toEqual([]);
  });

  it('catch every planted violation', async () => {
    const tree: Record<string, string[]> = { ...LAWFUL, 'src/kernel/index.ts': ['./clock'] };
    for (const [, file, target] of PLANTED) {
      tree[file] = [...new Set([...(tree[file] ?? []), importPath(file, target)])];
    }
    const found = (await cruiseTree(tree)).map(({ rule, from, to }) => `${rule}: ${from} -> ${to}`);
    const missed = PLANTED.filter(([rule, file, target]) => {
      const end = target.replace(/^node:/, '');
      return !found.some((line) => line.startsWith(`${rule}: ${file} -> `) && line.includes(end));
    });
    expect(missed).toEqual([]);
  });

  it('catch a cycle and an unused file', async () => {
    const found = await cruiseTree({
      ...LAWFUL,
      'src/kernel/clock.ts': ['./id'],
      'src/infra/dead.ts': [],
      'src/infra/dead-with-spec.ts': [],
      'src/infra/dead-with-spec.spec.ts': ['./dead-with-spec'],
    });
    expect(found.filter((violation) => violation.rule === 'no-cycles')).not.toEqual([]);
    const dead = found.filter((violation) => violation.rule === 'no-dead-files').map((violation) => violation.to);
    expect([...new Set(dead)].sort()).toEqual(['src/infra/dead-with-spec.ts', 'src/infra/dead.ts']);
  });

  it('have a planted violation for every rule', () => {
    const planted = new Set([...PLANTED.map(([rule]) => rule), 'no-cycles', 'no-dead-files']);
    const names = RULES.map((rule) => rule.name).filter((name) => !name.startsWith('module-tree-'));
    expect(names.filter((name) => !planted.has(name))).toEqual([]);
  });
});

describe('This repository', () => {
  let files: string[];
  let violations: Violation[];

  beforeAll(async () => {
    ({ files, violations } = await cruise(ROOT));
  });

  it('keeps every rule', () => {
    expect(violations.map(({ rule, from, to }) => `${rule}: ${from} -> ${to}`)).toEqual([]);
  });

  it.each(RULES.map((rule) => rule.name))('has files to which the rule %s applies', (name) => {
    const { path = '', pathNot = '^$' } = RULES.find((rule) => rule.name === name)!.from;
    const matching = files.filter((file) => new RegExp(path).test(file) && !new RegExp(pathNot).test(file));
    expect(matching.length).toBeGreaterThan(0);
  });

  it('has a place in the tree for each of its modules', async () => {
    const modules = (await readdir(join(ROOT, 'src/modules'))).sort();
    const placed = RULES.flatMap((rule) => /^module-tree-(.+)/.exec(rule.name)?.[1] ?? []);
    expect(placed.sort()).toEqual(modules);
  });
});
