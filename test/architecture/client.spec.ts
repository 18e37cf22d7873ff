import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { ALL_EVENTS } from '../../libs/cli/commands/webhooks';
import { KEYED_OPERATIONS } from '../../libs/client/calls';
import * as operations from '../../libs/client/generated/sdk.gen';
import { EVENT_TYPES } from '../../src/modules/events/domain/event';
import { browserBundle } from '../support/browser-bundle';
import { ROOT } from './cruise';

const CLIENT = join(ROOT, 'libs/client');
const LARGEST_BUNDLE = 25_000;
const run = promisify(execFile);
const tool = (path: string, ...args: string[]) =>
  run(process.execPath, [join(ROOT, 'node_modules', path), ...args], { cwd: ROOT }).catch((error: unknown) => {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${path} failed:\n${stdout}${stderr}`);
  });

interface Documented {
  operationId?: string;
  parameters?: { name: string }[];
}

interface Example {
  of: string;
  code: string | null;
}

/** The methods of the client, its exported functions and errors, with their examples. */
async function examples(): Promise<Example[]> {
  const found: Example[] = [];
  for (const file of ['messaging-client.ts', 'webhooks.ts', 'errors.ts']) {
    const source = ts.createSourceFile(file, await readFile(join(CLIENT, file), 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node) => {
      if (ts.isClassDeclaration(node) && node.name?.text === 'MessagingClient') node.members.forEach(visitMember);
      const isNamed = ts.isFunctionDeclaration(node) && node.name?.text === 'verifyWebhook';
      const isError = ts.isClassDeclaration(node) && node.name?.text === 'MessagingError';
      if (isNamed || isError) found.push({ of: node.name.text, code: exampleOf(node) });
    };
    const visitMember = (member: ts.ClassElement) => {
      const isHidden = ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private;
      if (ts.isMethodDeclaration(member) && !isHidden)
        found.push({ of: member.name.getText(), code: exampleOf(member) });
    };
    ts.forEachChild(source, visit);
  }
  return found;
}

function exampleOf(node: ts.Node): string | null {
  const tag = ts.getJSDocTags(node).find((one) => one.tagName.text === 'example');
  return tag ? (ts.getTextOfJSDocComment(tag.comment) ?? null) : null;
}

describe('The types of events', () => {
  it('are the same in the service, in the API document and in the command line', async () => {
    const document = JSON.parse(await readFile(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      webhooks: Record<string, unknown>;
      components: { schemas: { CreateWebhookEndpointDto: { properties: { events: { items: { enum: string[] } } } } } };
    };
    const { events } = document.components.schemas.CreateWebhookEndpointDto.properties;
    expect(ALL_EVENTS).toEqual(EVENT_TYPES);
    expect(events.items.enum).toEqual(EVENT_TYPES);
    expect(Object.keys(document.webhooks)).toEqual(EVENT_TYPES);
  });
});

describe('The client library', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'client-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** A file with type errors unless exactly the streams are rejected. */
  async function streams(): Promise<string> {
    const file = join(folder, 'streams.ts');
    const lines = [
      `import { type MessagingClient, operations } from ${JSON.stringify(join(CLIENT, 'public-api'))};`,
      'declare const messaging: MessagingClient;',
      "export const job = messaging.call(operations.getBulkJob, { path: { jobId: 'j' } });",
      '// @ts-expect-error It has no single answer.',
      "export const stream = messaging.call(operations.watchBulkJob, { path: { jobId: 'j' } });",
      '// @ts-expect-error It has no single answer.',
      'export const others = messaging.call(operations.watchAccount, {});',
    ];
    await writeFile(file, lines.join('\n'));
    return file;
  }

  it('is generated from the current docs/openapi.json; `npm run client` updates it', async () => {
    const fresh = join(folder, 'generated');
    const generator = join(ROOT, 'node_modules/@hey-api/openapi-ts/bin/run.js');
    const command = [generator, '--silent', '-f', 'config/openapi-ts.config.mjs'];
    await run(process.execPath, command, { cwd: ROOT, env: { ...process.env, CLIENT_FOLDER: fresh } });
    const kept = join(CLIENT, 'generated');
    const files = async (of: string) =>
      (await readdir(of, { recursive: true })).filter((file) => file.endsWith('.ts')).sort();
    expect(await files(kept)).toEqual(await files(fresh));
    for (const file of await files(fresh)) {
      const same = (await readFile(join(kept, file), 'utf8')) === (await readFile(join(fresh, file), 'utf8'));
      expect({ file, same }).toEqual({ file, same: true });
    }
  }, 60_000);

  it('sends an idempotency key to exactly those operations that accept one', async () => {
    const document = JSON.parse(await readFile(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      paths: Record<string, Record<string, Documented>>;
    };
    const taking = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
      .map(({ operationId }) => operationId!);
    const given = Object.entries(operations).filter(([, operation]) => KEYED_OPERATIONS.has(operation));
    expect(given.map(([name]) => name).sort()).toEqual(taking.sort());
  });

  it('has an example for every method, each of which compiles; event streams are rejected by `call`', async () => {
    const found = await examples();
    expect(found.map(({ of }) => of)).toEqual(expect.arrayContaining(['sendTemplate', 'waitForJob', 'verifyWebhook']));
    expect(found.filter(({ code }) => !code)).toEqual([]);
    const entry = JSON.stringify(join(CLIENT, 'public-api'));
    const names = '{ MessagingClient, MessagingError, operations, verifyWebhook, WebhookVerificationError }';
    const written = found.map(async ({ of, code }) => {
      const file = join(folder, `${of}.ts`);
      const text = `import ${names} from ${entry};\ndeclare const messaging: MessagingClient;\nexport async function example() {\n${code}\n}\n`;
      await writeFile(file, text);
      return file;
    });
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2023'];
    await tool(
      'typescript/bin/tsc',
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      ...types,
      ...modules,
      ...(await Promise.all([...written, streams()])),
    );
  }, 240_000);

  it(`is a bundle for browsers of less than ${LARGEST_BUNDLE} bytes, gzipped`, async () => {
    const bundle = await browserBundle();
    expect(gzipSync(bundle).length).toBeLessThan(LARGEST_BUNDLE);
    expect(bundle).not.toMatch(/\brequire\(|from ?"node:/);
  }, 60_000);
});
