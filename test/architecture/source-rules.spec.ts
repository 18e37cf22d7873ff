import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './cruise';

const LONGEST_FILE = 400;
const FORBIDDEN_WORDS = /^(manager|helper|util|utils|common|base|impl|data|info)$/i;

/** Written by `npm run client`. */
const GENERATED = 'libs/client/generated/';
/** Re-exports for other repositories: the exports of the client package. */
const PACKAGE_ENTRY = 'libs/client/public-api.ts';

/** The sources of the programs, libraries, settings and tests. */
const FILES = ['src', 'libs', 'config', 'test'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|cjs|mjs|css)$/.test(file))
    .map((file) => join(folder, file))
    .filter((file) => !file.startsWith(GENERATED)),
);

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('Source files', () => {
  it(`have at most ${LONGEST_FILE} lines`, () => {
    expect(FILES.filter((file) => read(file).trimEnd().split('\n').length > LONGEST_FILE)).toEqual([]);
  });

  it('are not barrels', () => {
    expect(FILES.filter((file) => basename(file) === 'index.ts')).toEqual([]);
    const exempt = ['test/architecture/source-rules.spec.ts', PACKAGE_ENTRY];
    const reexporting = (file: string) => /^export (\*|\{[^}]*\}|type \{[^}]*\}) from /m.test(read(file));
    expect(FILES.filter((file) => !exempt.includes(file) && reexporting(file))).toEqual([]);
  });

  it('declare no names with meaningless words', () => {
    const declared = FILES.filter((file) => file.startsWith('src/') || file.startsWith('libs/')).flatMap((file) =>
      [...read(file).matchAll(/^export (?:abstract )?(?:class|interface|type|function|const) (\w+)/gm)].map(
        (match) => match[1]!,
      ),
    );
    const wordsOf = (name: string) => name.replace('DataSource', '').split(/(?=[A-Z])/);
    expect(declared.filter((name) => wordsOf(name).some((word) => FORBIDDEN_WORDS.test(word)))).toEqual([]);
  });

  it('have names without meaningless words', () => {
    const wordsOf = (file: string) => basename(file).split(/[-.]/);
    const named = FILES.filter(
      (file) => !file.startsWith('config/') && wordsOf(file).some((w) => FORBIDDEN_WORDS.test(w)),
    );
    expect(named.filter((file) => basename(file) !== 'data-source.ts')).toEqual([]);
  });

  it('are named x.service.ts exactly if they export XService', () => {
    const sources = FILES.filter((file) => /^(src|libs)\//.test(file) && !file.endsWith('.spec.ts'));
    const services = (file: string) =>
      [...read(file).matchAll(/^(?:export )?(?:abstract )?class (\w+Service)\b/gm)].map((match) => match[1]!);
    const named = (file: string) =>
      file.endsWith('.service.ts')
        ? [
            `${basename(file, '.service.ts').replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Service`,
          ]
        : [];
    expect(sources.flatMap(named).length).toBeGreaterThan(10);
    expect(sources.filter((file) => services(file).join() !== named(file).join())).toEqual([]);
  });

  it('take nothing but Injectable from Nest in the domain', () => {
    const domain = FILES.filter((file) => /^src\/modules\/[^/]+\/domain\//.test(file) && !file.endsWith('.spec.ts'));
    const imported = (file: string) =>
      [...read(file).matchAll(/import (?:type )?\{([^}]*)\} from '@nestjs\/common'/g)].flatMap((match) =>
        match[1]!.split(',').map((name) => name.trim()),
      );
    expect(domain.length).toBeGreaterThan(0);
    expect(domain.filter((file) => imported(file).some((name) => name !== 'Injectable'))).toEqual([]);
  });
});
