import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import type { Sender } from '../../accounts/domain/sender';
import type { DirectoryPage } from '../domain/template-directory.port';
import { CloudApiTemplateDirectory } from './cloud-api-template-directory';

const sender = { businessAccountId: '204', accessToken: 'token' } as Sender;
const entry = (name: string) => ({ name, language: 'de', status: 'APPROVED', category: 'UTILITY', components: [] });
const cleanups: (() => unknown)[] = [];

/** A platform that responds to each cursor with the result of `respond`. */
async function platform(respond: (after: string | null, nth: number) => { status?: number; body: unknown }) {
  const queries: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    queries.push(url.searchParams);
    const { status = 200, body } = respond(url.searchParams.get('after'), queries.length);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new CloudApiClient({ baseUrl, version: 'v25.0', timeoutMs: 1_000 });
  cleanups.push(
    () => server.close(),
    () => client.close(),
  );
  return { queries, directory: new CloudApiTemplateDirectory(client) };
}

async function readAll(directory: CloudApiTemplateDirectory): Promise<DirectoryPage[]> {
  const pages: DirectoryPage[] = [];
  for await (const page of directory.pages(sender)) pages.push(page);
  return pages;
}

const namesOf = (pages: DirectoryPage[]) => pages.flatMap(({ templates }) => templates.map(({ name }) => name));
const page = (names: string[], after?: string) => ({
  body: {
    data: names.map(entry),
    // The platform returns cursors on the last page as well: only `next` shows that there is more.
    paging: {
      cursors: { before: 'b', after: after ?? 'END' },
      ...(after && { next: `https://x.test/?after=${after}` }),
    },
  },
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe('CloudApiTemplateDirectory', () => {
  it('follows the cursors to the last page', async () => {
    const lists: Record<string, object> = { '': page(['a', 'b'], 'C1'), C1: page(['c'], 'C2'), C2: page(['d']) };
    const { directory, queries } = await platform((after) => lists[after ?? ''] as { body: unknown });
    expect(namesOf(await readAll(directory))).toEqual(['a', 'b', 'c', 'd']);
    expect(queries.map((query) => query.get('after'))).toEqual([null, 'C1', 'C2']);
    expect(queries[0]?.get('limit')).toBe('100');
    expect(queries[0]?.get('fields')?.split(',')).toEqual(
      expect.arrayContaining(['quality_score', 'rejected_reason', 'id']),
    );
  });

  it('reads the cursor from the link if it is nowhere else', async () => {
    const first = { body: { data: [entry('a')], paging: { next: 'https://x.test/list?limit=1&after=C1' } } };
    const { directory } = await platform((after) => (after ? page(['b']) : first));
    expect(namesOf(await readAll(directory))).toEqual(['a', 'b']);
  });

  it('reads an empty list and a list without paging', async () => {
    const { directory } = await platform((_, nth) => (nth === 1 ? { body: { data: [] } } : page([])));
    expect(namesOf(await readAll(directory))).toEqual([]);
    expect(namesOf(await readAll(directory))).toEqual([]);
  });

  it('reports unreadable entries along with the rest of the page', async () => {
    const body = { data: [entry('a'), { ...entry('b'), status: 'FROZEN' }, 7] };
    const { directory } = await platform(() => ({ body }));
    const [only] = await readAll(directory);
    expect(namesOf([only!])).toEqual(['a']);
    expect(only?.unreadable).toEqual([
      { name: 'b', languageCode: 'de', reason: 'unknown status FROZEN' },
      { name: null, languageCode: null, reason: expect.any(String) },
    ]);
  });

  it('restarts once if the list changed and the cursor became invalid', async () => {
    const bad = { status: 400, body: { error: { code: 131059, message: 'bad cursor' } } };
    const { directory } = await platform((after, nth) => (nth === 2 ? bad : after ? page(['b']) : page(['a'], 'C1')));
    expect(namesOf(await readAll(directory))).toEqual(['a', 'a', 'b']);
    const stuck = await platform((after) => (after ? bad : page(['a'], 'C1')));
    await expect(readAll(stuck.directory)).rejects.toThrow('code 131059');
  });

  it.each([
    ['a refusal', { status: 401, body: { error: { code: 190, message: 'ended' } } }, 'ended (code 190)'],
    ['a gateway error', { status: 502, body: 'bad gateway' }, 'HTTP 502'],
    ['an unexpected form', { body: { waba_templates: [] } }, 'an unexpected form'],
    ['a next page without a cursor', { body: { data: [], paging: { next: 'https://x.test/' } } }, 'no cursor'],
  ])('fails on %s and names the page', async (_, response, reason) => {
    const { directory } = await platform((after) => (after ? response : page(['a'], 'C1')));
    const read = readAll(directory);
    await expect(read).rejects.toThrow('Page 2');
    await expect(read).rejects.toThrow(reason);
  });

  it('stops on an endless list', async () => {
    const { directory } = await platform(() => page(['a'], 'C1'));
    await expect(readAll(directory)).rejects.toThrow('does not end');
  });
});
