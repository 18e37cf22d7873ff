import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { KEY, type Service, startService } from '../../support/process/service';

const ROOT = resolve(__dirname, '../../..');
const DOCUMENT = join(ROOT, 'docs/openapi.json');
const run = promisify(execFile);

/** Code of a team that generates its client with @hey-api/openapi-ts. */
const HEY_API_CONSUMER = `
import { createClient } from './generated/client';
import { getBulkJob, importBulkMessages, listBulkJobRecipients, sendTemplate } from './generated/sdk.gen';
import type { BulkJobDetailDto, ErrorDto } from './generated/types.gen';

export async function use(baseUrl: string, key: string) {
  const client = createClient({ baseUrl, auth: () => key });
  const templateParameters = [{ text: 'Mira' }, { text: 'PK-7731' }];
  const sent = await sendTemplate({ client, body: { to: '4915112345678', templateName: 'order_update', templateParameters } });
  const file = new File(['Phone,Name,Parcel\\n+49 151 12345678,Mira,PK-1\\n12,Nobody,PK-2\\n'], 'customers.csv');
  const accepted = (await importBulkMessages({ client, body: { file, templateName: 'order_update' } })).data!;
  if (!('jobId' in accepted)) throw new Error('a dry run');
  const { jobId } = accepted;
  const job: BulkJobDetailDto = (await getBulkJob({ client, path: { jobId } })).data!;
  const failed = await listBulkJobRecipients({ client, path: { jobId }, query: { status: 'Failed' } });
  const refused = await sendTemplate({ client, body: { to: '12', templateName: 'order_update' } });
  const error: ErrorDto = refused.error!;
  return { sent: sent.data!.status, total: job.totalRecipients, rows: failed.data!.items.map((row) => row.errorCode), code: error.code };
}
`;

/** Code of a team that generates only types with openapi-typescript. */
const TYPES_CONSUMER = `
import type { components, operations } from './types';

type SendTemplate = components['schemas']['SendTemplateDto'];
type Detail = components['schemas']['BulkJobDetailDto'];
type Filters = NonNullable<operations['listBulkJobs']['parameters']['query']>;
export const send: SendTemplate = { to: '4915112345678', templateName: 'order_update' };
export const toGroup: components['schemas']['GroupSendDto'] = { groupId: 'g', templateName: 'order_update' };
export const template: components['schemas']['CreateTemplateDto'] = { name: 'a', languageCode: 'en_US', category: 'Utility', body: { text: 'Hi' } };
export const filters: Filters = { status: 'Completed' };
export const isOver = ({ status }: Detail): boolean => status === 'Completed' || status === 'Failed' || status === 'Cancelled';
export const code: components['schemas']['ErrorDto']['code'] = 'template_not_found';
// @ts-expect-error: the list of codes is closed
export const unknownCode: components['schemas']['ErrorDto']['code'] = 'no_such_code';
`;

describe('Clients that are generated from the API document', () => {
  let folder: string;
  let service: Service;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'generated-clients-'));
    service = await startService();
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const tool = (name: string, ...args: string[]) =>
    run(process.execPath, [join(ROOT, 'node_modules', name), ...args], { cwd: folder }).catch((error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${name} failed:\n${stdout}${stderr}`);
    });
  const compile = (...files: string[]) =>
    tool(
      'typescript/bin/tsc',
      ...[
        '--strict',
        '--exactOptionalPropertyTypes',
        'false',
        '--skipLibCheck',
        '--ignoreConfig',
        '--target',
        'es2022',
      ],
      ...['--lib', 'es2022,dom,dom.iterable', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')],
      ...['--module', 'commonjs', '--moduleResolution', 'bundler', '--outDir', join(folder, 'built'), ...files],
    );

  it('send, import and read with @hey-api/openapi-ts', async () => {
    await tool('@hey-api/openapi-ts/bin/run.js', '-i', DOCUMENT, '-o', join(folder, 'generated'));
    await writeFile(join(folder, 'consumer.ts'), HEY_API_CONSUMER);
    await compile('consumer.ts');
    const print = `require(${JSON.stringify(join(folder, 'built/consumer.js'))}).use(...process.argv.slice(1)).then((seen) => console.log(JSON.stringify(seen)))`;
    const { stdout } = await run(process.execPath, ['-e', print, service.url, KEY], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({ sent: 'Sent', total: 2, rows: ['phone_invalid'], code: 'validation_failed' });
  });

  it('have types from openapi-typescript in which fields with defaults are optional', async () => {
    await tool('openapi-typescript/bin/cli.js', DOCUMENT, '-o', join(folder, 'types.ts'));
    await writeFile(join(folder, 'types-consumer.ts'), TYPES_CONSUMER);
    await compile('types-consumer.ts');
  });
});
