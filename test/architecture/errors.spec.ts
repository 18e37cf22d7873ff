import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { CLOSED_CODES } from '../../src/programs/error-codes';
import { knownPlatformProblems } from '../../src/infra/cloud-api/error-table';
import { FIELD_PROBLEMS } from '../../src/kernel/field-problems';
import { RECIPIENT_ROW_CODES } from '../../src/kernel/message-problems';
import { REFUSED_FIELDS } from '../../src/modules/templates/domain/authoring.errors';
import { ROOT } from './cruise';

/** Errors of requests outside the API document. */
const OUTSIDE_OF_OPERATIONS = [
  'invalid_signature',
  'verification_failed',
  'route_not_found',
  'method_not_allowed',
  'cross_site_request',
  'console_needs_tls',
];

const FILES = execFileSync('git', ['ls-files', 'src'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

describe('The errors of the API', () => {
  it('are all thrown somewhere', () => {
    const classes = FILES.flatMap(({ text }) => [...text.matchAll(/^export class (\w+) extends domainError\(/gm)]);
    const names = classes.map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(50);
    const isThrown = (name: string) => {
      const thrown = new RegExp(`new ${name}\\b|extends ${name}\\b|(?<!ApiErrors)\\((\\w+, )?${name}\\)`);
      return FILES.some(({ text }) => thrown.test(text));
    };
    expect(names.filter((name) => !isThrown(name))).toEqual([]);
  });

  it('are all documented at an operation that returns them', () => {
    const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      components: {
        examples: Record<string, unknown>;
        schemas: { ErrorDto: { properties: { code: { enum: string[] } } } };
      };
    };
    const { examples, schemas } = document.components;
    const ofPlatform = knownPlatformProblems().map(({ problem }) => problem as string);
    const codes = schemas.ErrorDto.properties.code.enum;
    expect(codes).toEqual(expect.arrayContaining(ofPlatform));
    const missing = codes.filter((code) => !(code in examples) && !ofPlatform.includes(code));
    expect(missing.sort()).toEqual([...OUTSIDE_OF_OPERATIONS].sort());
  });

  it('name fields by codes of one closed list, each of which is used', () => {
    const { components } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      components: { schemas: { FieldErrorDto: { properties: { code: { enum: string[] } } } } };
    };
    const codes = Object.keys(FIELD_PROBLEMS);
    expect(components.schemas.FieldErrorDto.properties.code.enum).toEqual([...codes, ...Object.keys(REFUSED_FIELDS)]);
    const sources = FILES.filter(({ file }) => !file.endsWith('field-problems.ts'));
    const isUsed = (code: string) => sources.some(({ text }) => text.includes(`'${code}'`));
    expect(codes.filter((code) => !isUsed(code))).toEqual([]);
  });

  it('have one explanation each on the page of errors, in any of its lists', () => {
    const explanations = new Map<string, Set<string>>();
    let columns: string[] = [];
    for (const line of readFileSync(join(ROOT, 'docs/errors.md'), 'utf8').split('\n')) {
      const cells = line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));
      if (cells.includes('code')) columns = cells;
      const cell = (column: string) => cells[columns.indexOf(column)] ?? '';
      const code = /^\| .*`/.test(line) && /^`(\w+)`$/.exec(cell('code'))?.[1];
      if (!code) continue;
      const known = explanations.get(code) ?? new Set();
      explanations.set(code, known.add(`${cell('cause')} ${cell('what to do')}`));
    }
    const twofold = [...explanations].filter(([, texts]) => texts.size > 1);
    expect(twofold.map(([code, texts]) => [code, ...texts])).toEqual([]);
    const { components } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      components: { schemas: { ErrorDto: { properties: { code: { enum: string[] } } } } };
    };
    const closed = Object.values(CLOSED_CODES).flatMap((properties) => Object.values(properties).flat());
    const codes = new Set([...closed, ...components.schemas.ErrorDto.properties.code.enum]);
    expect(codes.size).toBeGreaterThan(150);
    expect([...codes].filter((code) => !explanations.has(code))).toEqual([]);
  });

  it('of rows are all on the page about files', () => {
    const page = readFileSync(join(ROOT, 'docs/files.md'), 'utf8');
    expect(RECIPIENT_ROW_CODES.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });
});
