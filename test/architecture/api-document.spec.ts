import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reasonOf } from '../../src/infra/http/reasons';
import { ROW_CODES } from '../../src/modules/recipient-files/domain/recipient-files.errors';
import { type ApiDocument, gapsOf } from './api-document-gaps';
import { ROOT } from './cruise';

const run = promisify(execFile);
const KEPT = join(ROOT, 'docs/openapi.json');

/** Lints a file like `npm run openapi:lint`; returns the printed problems. */
async function lint(file: string): Promise<string> {
  const command = run(process.execPath, [join(ROOT, 'config/lint-openapi.mjs'), file]);
  const { stdout } = await command.catch((failed: { stdout: string }) => failed);
  return stdout;
}

describe('The API document', () => {
  let folder: string;
  let document: ApiDocument;
  let written: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'api-document-'));
    await run(process.execPath, ['-r', './config/register-typescript.cjs', 'src/programs/openapi.ts', folder], {
      cwd: ROOT,
    });
    written = await readFile(join(folder, 'openapi.json'), 'utf8');
    document = JSON.parse(written) as ApiDocument;
  }, 60_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is up to date in docs/openapi.json; `npm run openapi` updates it', async () => {
    expect(await readFile(KEPT, 'utf8')).toBe(written);
  });

  it('has an up-to-date page of all errors, generated from the same code', async () => {
    expect(await readFile(join(ROOT, 'docs/errors.md'), 'utf8')).toBe(
      await readFile(join(folder, 'errors.md'), 'utf8'),
    );
  });

  it('explains all codes of messages and rows to the console, and in German reports', async () => {
    const kept = await readFile(join(ROOT, 'libs/console/api/explanations.json'), 'utf8');
    expect(kept).toBe(await readFile(join(folder, 'explanations.json'), 'utf8'));
    const reasons = await readFile(join(ROOT, 'src/infra/http/reasons.de.json'), 'utf8');
    expect(reasons).toBe(await readFile(join(folder, 'reasons.de.json'), 'utf8'));
    const { enum: codes } = document.components.schemas.MessageErrorDto!.properties!.code as { enum: string[] };
    expect(Object.keys(JSON.parse(kept) as object)).toEqual([...codes].sort());
    const titles = await readFile(join(ROOT, 'libs/console/api/titles.json'), 'utf8');
    expect(titles).toBe(await readFile(join(folder, 'titles.json'), 'utf8'));
    // The German words are those of the console's catalogue.
    const inEnglish = [...codes, ...ROW_CODES].filter((code) => reasonOf(code, 'de') === reasonOf(code, 'en'));
    expect(inEnglish).toEqual([]);
  });

  it('contains the six endpoints of the specification', () => {
    const api = '/api/v1/messaging';
    expect(document.paths).toMatchObject({
      [`${api}/templates`]: { get: {} },
      [`${api}/send-template`]: { post: {} },
      [`${api}/bulk-import-messages`]: { post: {} },
      [`${api}/send-template-to-group`]: { post: {} },
      [`${api}/bulk-jobs/{jobId}/status`]: { get: {} },
      [`${api}/bulk-jobs`]: { get: {} },
    });
  });

  it('has no gaps', () => {
    expect(gapsOf(document)).toEqual([]);
  });

  it('passes the linter', async () => {
    expect(await lint(KEPT)).toBe(`${KEPT}: 0 problems\n`);
  }, 30_000);

  it('fails the linter with an example that its schema does not allow', async () => {
    const spoiled = structuredClone(document) as unknown as {
      components: { examples: Record<string, { value: { statusCode: unknown } }> };
    };
    spoiled.components.examples.unauthorized!.value.statusCode = 'four hundred and one';
    const file = join(folder, 'spoiled.json');
    await writeFile(file, JSON.stringify(spoiled));
    expect(await lint(file)).toMatch(/no-invalid-media-type-examples/);
  }, 30_000);

  it('has closed lists of codes, also across modules', () => {
    const { JobRecipientDto, MessageErrorDto, BulkJobErrorDto } = document.components.schemas;
    const codes = ['phone_invalid', 'outcome_unknown', 'recipient_unreachable'];
    expect(JobRecipientDto?.properties?.errorCode?.enum).toEqual(expect.arrayContaining([...codes, null]));
    expect(MessageErrorDto?.properties?.code?.enum).toEqual(expect.arrayContaining(codes));
    expect(BulkJobErrorDto?.properties?.code?.enum).toEqual(['template_disabled', 'schedule_missed', 'pause_expired']);
  });

  it.each(['send-template', 'conversations/{conversationId}/messages'])(
    'lists the refusals of the platform at the operation that gets them: %s',
    (path) => {
      const { description = '' } = document.paths[`/api/v1/messaging/${path}`]!.post!.responses['422']!;
      expect(description).toMatch(/`platform_rejected`: .* own: .*`payment_problem`, .*`recipient_unreachable`, /);
      // Of the creation of templates.
      expect(description).not.toContain('template_name_blocked');
    },
  );

  it('allows a file as bytes with the other fields of the form', () => {
    const form = document.paths['/api/v1/messaging/bulk-import-messages']?.post?.requestBody?.content;
    expect(Object.keys(form ?? {})).toEqual(['multipart/form-data']);
    const fields = document.components.schemas.BulkImportFormDto?.properties ?? {};
    expect(Object.keys(fields)[0]).toBe('file');
    expect(document.components.schemas.BulkImportFormDto).toMatchObject({
      required: expect.arrayContaining(['file', 'templateName']),
      properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
    });
  });
});

describe('A gap in the API document', () => {
  const complete = (): ApiDocument => ({
    openapi: '3.1.0',
    tags: [{ name: 'Things', description: 'Things.' }],
    paths: {
      '/things/{id}': {
        post: {
          operationId: 'createThing',
          summary: 'Make a thing',
          description: 'Makes it.',
          tags: ['Things'],
          security: [{ key: [] }],
          'x-required-scope': 'things:make',
          parameters: [{ name: 'id', description: 'Which.', example: '1' }],
          requestBody: { content: { 'application/json': { schema: {}, example: {} } } },
          responses: Object.fromEntries(
            ['200', '400', '401', '403', '413', '415', '429', '500', '503'].map((status) => [
              status,
              { description: 'So.', content: { 'application/json': { schema: {}, examples: { one: {} } } } },
            ]),
          ),
        },
      },
    },
    components: { schemas: { Thing: { properties: { name: { description: 'Its name.', example: 'a' } } } } },
  });
  const operation = (document: ApiDocument) => document.paths['/things/{id}']!.post!;

  it('is not reported without a gap', () => {
    expect(gapsOf(complete())).toEqual([]);
  });

  it.each<[string, (document: ApiDocument) => unknown]>([
    ['it is not OpenAPI 3.1', (document) => (document.openapi = '3.0.3')],
    ['has no operationId', (document) => delete operation(document).operationId],
    ['begins with no verb: things', (document) => (operation(document).operationId = 'things')],
    [
      'two operations are called createThing',
      (document) => (document.paths['/things/{id}']!.put = operation(document)),
    ],
    ['has no summary', (document) => delete operation(document).summary],
    ['has no description', (document) => delete operation(document).description],
    ['has no tags', (document) => (operation(document).tags = [])],
    ['has no security', (document) => delete operation(document).security],
    ['does not describe id', (document) => delete operation(document).parameters![0]!.description],
    ['has no example of id', (document) => delete operation(document).parameters![0]!.example],
    [
      'has no schema of its request',
      (document) => (operation(document).requestBody!.content = { 'a/b': { example: 1 } }),
    ],
    ['has no example of its request', (document) => (operation(document).requestBody!.content = { 'a/b': {} })],
    ['has no answer that is a success', (document) => delete operation(document).responses['200']],
    ['does not say when it answers 401', (document) => delete operation(document).responses['401']],
    ['does not say when it answers 403', (document) => delete operation(document).responses['403']],
    ['does not say when it answers 413', (document) => delete operation(document).responses['413']],
    ['does not describe 429', (document) => delete operation(document).responses['429']!.description],
    ['has no schema of 200', (document) => (operation(document).responses['200'] = { description: 'So.' })],
    ['has no example of 200', (document) => (operation(document).responses['200'] = { description: 'So.' })],
    [
      'Thing.name has no description',
      (document) => delete document.components.schemas.Thing!.properties!.name!.description,
    ],
    ['Thing.name has no example', (document) => delete document.components.schemas.Thing!.properties!.name!.example],
  ])('is found: %s', (gap, spoil) => {
    const document = complete();
    spoil(document);
    expect(gapsOf(document).some((line) => line.endsWith(gap))).toBe(true);
  });
});
