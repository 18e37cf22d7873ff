import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as Postgres } from 'pg';
import PLANS from '../../config/plans.json';
import { anotherAccount } from '../support/process/accounts';
import { Client } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { type Service, startService, type Store, until } from '../support/process/service';

const TOKEN = 'EAAG-write-only-token-4711';
const APP_SECRET = 'write-only-app-secret-4711';
const UUID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';
const WITHOUT_KEY = ['/health/live', '/health/ready', '/metrics', '/webhooks/platform'];
const PREFIX = '/api/v1/messaging';

interface Route {
  method: string;
  path: string;
  scope?: string;
  needsKey: boolean;
}

describe('The accounts of the service', () => {
  let folder: string;
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mta-plans-'));
    // So slow that no request is restored during a test.
    const slow = { requestsPerSecond: 0.02, burst: 3, maxRowsPerFile: 2 };
    await writeFile(join(folder, 'plans.json'), JSON.stringify({ ...PLANS, Trickle: slow }));
    platform = await Platform.start({ autoCreateSenders: true });
    service = await startService({
      platformUrl: platform.url,
      env: { MESSAGES_PER_SECOND: '777', MESSAGING_TIER: '10000', PLANS_FILE: join(folder, 'plans.json') },
    });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const change = (id: string, body: object, key?: string) => client.call('PATCH', `/accounts/${id}`, { body, key });

  const keyWith = async (fields: Record<string, unknown>, path = '/api-keys'): Promise<{ id: string; key: string }> => {
    const { status, body } = await client.post(path, { name: 'k', ...fields });
    expect(status).toBe(201);
    return body as { id: string; key: string };
  };

  it("begin with one that has the environment's sender, pace and tier", async () => {
    const { body } = await client.get('/accounts');

    expect(body).toMatchObject({ totalCount: 1, page: 1, pageSize: 20, totalPages: 1 });
    expect(body.items).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Default',
        plan: 'Enterprise',
        status: 'Active',
        sendingPaused: false,
        defaultCountry: null,
        businessPortfolioId: null,
        sender: {
          phoneNumberId: '109876543210001',
          businessAccountId: '204876543210002',
          displayPhoneNumber: '+49 30 900000001',
          messagesPerSecond: 777,
          messagingTier: '10000',
          marketingMessagesApi: false,
        },
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it("never show a sender's token and app secret, nor store them readable", async () => {
    const sender = {
      phoneNumberId: '700000000009002',
      businessAccountId: '800000000009002',
      accessToken: TOKEN,
      appSecret: APP_SECRET,
    };
    const refused = await client.post('/accounts', { name: 'Secret', plan: 'Growth', sender });
    const made = await client.post('/accounts', { name: 'Secret', plan: 'Growth', sender, skipCheck: true });
    const id = made.body.id as string;
    const { key } = (await client.post(`/accounts/${id}/api-keys`, { name: 'k', scopes: ['templates:manage'] })).body;
    const answers = [
      refused,
      made,
      await client.get(`/accounts/${id}`),
      await client.get('/accounts'),
      await change(id, { sender: { accessToken: `${TOKEN}-2`, messagesPerSecond: 5 }, skipCheck: true }),
      await client.get('/me', { key }),
      await client.post('/templates/sync', undefined, { key }),
      await client.post('/accounts', { name: '', plan: 'Growth', sender: { ...sender, phoneNumberId: 'x' } }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([422, 201, 200, 200, 200, 200, 422, 400]);
    for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/write-only|accessToken"|appSecret"/);
    expect(service.log.join('\n')).not.toContain('write-only');
    const stored = await everythingStored(service.store);
    expect(stored.includes('Secret')).toBe(true);
    expect(stored.includes('write-only')).toBe(false);
  });

  it('use the token of their own sender towards the platform', async () => {
    const own = {
      phoneNumberId: '700000000009003',
      businessAccountId: '800000000009003',
      accessToken: 'token-of-nine-thousand-three',
    };
    await platform.configure({ senders: [own] });
    const fields = { name: 'Own token', plan: 'Growth', sender: { ...own, accessToken: 'wrong' } };
    expectError(await client.post('/accounts', fields), 422, 'sender_not_reachable');
    const account = (await client.post('/accounts', { ...fields, skipCheck: true })).body;
    const { key } = (
      await client.post(`/accounts/${account.id}/api-keys`, {
        name: 'k',
        scopes: ['templates:manage', 'messaging:send'],
      })
    ).body;
    const send = () => client.post('/send-template', { to: '4915112349010', templateName: 'hello_world' }, { key });

    expectError(await client.post('/templates/sync', undefined, { key }), 422, 'platform_credentials_invalid');
    await change(account.id as string, { sender: { accessToken: own.accessToken } });
    expect((await client.post('/templates/sync', undefined, { key })).body).toMatchObject({
      complete: true,
      added: 25,
    });
    expect((await send()).status).toBe(201);

    const appSecret = 'the-secret-of-its-own-app';
    expectError(await change(account.id as string, { sender: { appSecret } }), 422, 'sender_not_reachable');
    await change(account.id as string, { sender: { appSecret }, skipCheck: true });
    expect(await send()).toMatchObject({ status: 422, body: { code: 'platform_credentials_invalid' } });
    await platform.configure({ senders: [{ ...own, appSecret }], requireAppSecretProof: true });
    expect((await send()).status).toBe(201);
    expect((await change(account.id as string, { sender: { appSecret } })).status).toBe(200);
  });

  it('get keys from the operator, and cannot see each other', async () => {
    const one = await anotherAccount(client);
    const other = await anotherAccount(client);
    const group = (await client.post('/groups', { name: 'Mine' }, { key: one.key })).body;

    expect((await client.get('/me', { key: one.key })).body.account.id).toBe(one.id);
    expectError(await client.get(`/groups/${group.id}`, { key: other.key }), 404, 'group_not_found');
    expect((await client.get('/groups', { key: other.key })).body.totalCount).toBe(0);
    expectError(await client.get('/accounts', { key: one.key }), 403, 'missing_scope');
    expectError(
      await client.post(`/accounts/${other.id}/api-keys`, { name: 'k', scopes: ['jobs:read'] }, { key: one.key }),
      403,
      'missing_scope',
    );
  });

  it('limit the requests of all their keys together, by their plan', async () => {
    const { id } = (await client.post('/accounts', { name: 'Slow', plan: 'Trickle' })).body;
    const make = () => keyWith({ scopes: ['jobs:read'] }, `/accounts/${id}/api-keys`);
    const keys = [await make(), await make()];
    const answers = [
      await client.get('/me', { key: keys[0]!.key }),
      await client.get('/bulk-jobs?page=0', { key: keys[1]!.key }),
      await client.get('/nothing', { key: keys[0]!.key }),
      await client.get('/nothing', { key: keys[1]!.key }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 429]);
    expect(answers.map(({ headers }) => headers.get('ratelimit-limit'))).toEqual(['3', '3', '3', '3']);
    expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0', '0']);
    expectError(answers[3]!, 429, 'rate_limited');
    expect(answers[3]!.body.retryAfter).toBeGreaterThan(40);
    expect(answers[3]!.body.retryAfter).toBeLessThanOrEqual(50);
    expect((await client.get('/me')).status).toBe(200);

    await change(id as string, { plan: 'Enterprise' });
    expect((await client.get('/me', { key: keys[0]!.key })).body.limits).toMatchObject(PLANS.Enterprise);
  });

  it('cannot sync or send without a sender', async () => {
    const { id } = (await client.post('/accounts', { name: 'No sender', plan: 'Growth' })).body;
    const { key } = await keyWith({ scopes: ['messaging:send', 'templates:manage'] }, `/accounts/${id}/api-keys`);

    expectError(await client.post('/templates/sync', undefined, { key }), 422, 'sender_missing');
    const send = { to: '4915112345678', templateName: 'hello_world' };
    const refused = expectError(await client.post('/send-template', send, { key }), 404, 'template_not_found');
    expect(refused.message).toContain('The account has no sender yet');
  });

  describe('by their API keys', () => {
    let routes: Route[];

    beforeAll(async () => {
      routes = routesOf(await (await fetch(`${service.url}/docs-json`)).json());
    });

    const call = ({ method, path }: Route, key: string | null) =>
      client.call(method, path.replace(/\{\w+\}/g, UUID).slice(PREFIX.length), { key });

    it('accept a key until it is rotated, changed or revoked, and record its use', async () => {
      const { id, key: first } = await keyWith({ scopes: ['jobs:read'] });
      const statusWith = async (key: string) => (await client.get('/bulk-jobs', { key })).status;
      expect(await statusWith(first)).toBe(200);
      const noted = async () => {
        const { items } = (await client.get('/api-keys?pageSize=100')).body as {
          items: { id: string; lastUsedAt: string }[];
        };
        return items.find((item) => item.id === id)!.lastUsedAt !== null;
      };
      await until(noted, 30_000, 'the use of the key is recorded');

      const { key } = (await client.post(`/api-keys/${id}/rotate`)).body;
      expect([await statusWith(first), await statusWith(key as string)]).toEqual([401, 200]);
      await client.call('PATCH', `/api-keys/${id}`, { body: { scopes: ['groups:read'] } });
      expect(await statusWith(key as string)).toBe(403);
      await client.call('PATCH', `/api-keys/${id}`, { body: { allowedIps: ['203.0.113.7'] } });
      expect(await statusWith(key as string)).toBe(401);
      expect((await client.call('DELETE', `/api-keys/${id}`)).status).toBe(204);
      expectError(await client.call('DELETE', `/api-keys/${id}`), 404, 'api_key_not_found');
    });

    it('are rejected without one on every route but the public ones', async () => {
      const guarded = routes.filter(({ path }) => path.startsWith(PREFIX));

      expect(guarded.length).toBeGreaterThan(20);
      expect(routes.filter(({ needsKey }) => !needsKey).map(({ path }) => path)).toEqual(
        expect.not.arrayContaining(guarded.map(({ path }) => path)),
      );
      for (const route of routes.filter(({ path }) => !path.startsWith(PREFIX)))
        expect(WITHOUT_KEY).toContain(route.path);
      for (const route of guarded) expectError(await call(route, null), 401, 'unauthorized');
    });

    it('are rejected without one before anything else: body, id, content type or path', async () => {
      expectError(await client.post('/send-template', '{broken', { key: null }), 401, 'unauthorized');
      expectError(await client.get('/bulk-jobs/nonsense/status', { key: null }), 401, 'unauthorized');
      const headers = { 'content-type': 'text/plain' };
      expectError(await client.post('/send-template', 'x', { key: null, headers }), 401, 'unauthorized');
      expectError(await client.get('/templates?page=0', { key: null }), 401, 'unauthorized');
      expectError(await client.get('/no-such-path', { key: null }), 401, 'unauthorized');
    });

    it('need a scope for every route on account data', () => {
      const free = routes.filter(({ needsKey, scope }) => needsKey && scope === undefined);

      expect(free.map(({ path }) => path)).toEqual([`${PREFIX}/me`]);
    });

    it('need the documented scope of a route, which the error names', async () => {
      const scopes = [...new Set(routes.map(({ scope }) => scope).filter((scope) => scope !== undefined))];
      const otherAccount = await keyWith({ scopes: ['webhooks:manage'] });
      expect(scopes.length).toBeGreaterThanOrEqual(8);
      for (const scope of scopes) {
        const owner = await keyWith({ scopes: [scope] });
        for (const route of routes.filter((candidate) => candidate.scope === scope)) {
          const granted = await call(route, owner.key);
          expect({ route, isOpen: ![401, 403, 500].includes(granted.status) }).toEqual({ route, isOpen: true });
          if (scope === 'webhooks:manage') continue;
          const refused = expectError(await call(route, otherAccount.key), 403, 'missing_scope');
          expect(refused.requiredScope).toBe(scope);
          expect(refused.message).toContain(scope);
        }
      }
    });

    it.each([
      [
        'messaging:send',
        ['POST /send-template', 'GET /bulk-jobs', 'GET /templates'],
        ['POST /templates/sync', 'GET /groups', 'GET /api-keys'],
      ],
      ['templates:read', ['GET /templates'], ['POST /templates/sync', 'POST /send-template', 'GET /bulk-jobs']],
      ['templates:manage', ['GET /templates', 'POST /templates/sync'], ['POST /send-template', 'GET /bulk-jobs']],
      [
        'jobs:read',
        ['GET /bulk-jobs', `GET /bulk-jobs/${UUID}/status`],
        [`POST /bulk-jobs/${UUID}/cancel`, 'POST /send-template-to-group'],
      ],
      [
        'jobs:manage',
        ['GET /bulk-jobs', `POST /bulk-jobs/${UUID}/cancel`],
        ['POST /bulk-import-messages', 'GET /templates'],
      ],
      ['groups:read', ['GET /groups'], ['POST /groups', 'GET /bulk-jobs']],
      ['groups:manage', ['GET /groups', 'POST /groups'], ['POST /send-template-to-group']],
      ['keys:manage', ['GET /api-keys', 'POST /api-keys'], ['GET /accounts', 'POST /send-template']],
      [
        'accounts:manage',
        ['GET /accounts', 'POST /accounts'],
        ['GET /api-keys', 'GET /templates', 'POST /send-template'],
      ],
    ])('%s opens exactly its routes', async (scope, open, closed) => {
      const { key } = await keyWith({ scopes: [scope] });
      const statusOf = async (line: string): Promise<number> => {
        const [method = '', path = ''] = line.split(' ');
        return (await client.call(method, path, { key })).status;
      };

      for (const line of open) expect([line, await statusOf(line)]).not.toEqual([line, 403]);
      for (const line of closed) expect([line, await statusOf(line)]).toEqual([line, 403]);
    });

    it('have their scope checked before body, content type, id and page', async () => {
      const { key } = await keyWith({ scopes: ['groups:read'] });

      expectError(await client.post('/send-template', '{broken', { key }), 403, 'missing_scope');
      expectError(
        await client.post('/send-template', 'x', { key, headers: { 'content-type': 'text/plain' } }),
        403,
        'missing_scope',
      );
      expectError(await client.get('/bulk-jobs/nonsense/status', { key }), 403, 'missing_scope');
      expectError(await client.get('/templates?page=0', { key }), 403, 'missing_scope');
      expectError(await client.upload(null, {}, { key }), 403, 'missing_scope');
    });

    it("get 404 for unknown paths, without the server's name", async () => {
      expectError(await client.call('POST', '/bulk-import', { form: new FormData() }), 404, 'route_not_found');
      expectError(await client.post('/send', '{broken'), 404, 'route_not_found');
      const refused = await client.call('PUT', '/send-template');
      expectError(refused, 405, 'method_not_allowed');
      expect(refused.headers.get('allow')).toBe('POST');
      for (const path of ['/', '/api', '/api/v2/messaging/templates', '/.env', '/api/v1/messaging/%E0%A4%A']) {
        const answer = await fetch(service.url + path);
        expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'route_not_found' }]);
      }
      expect([refused.headers.get('x-powered-by'), refused.headers.get('server')]).toEqual([null, null]);
      expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
    });

    it('leave no key in the log', async () => {
      const { key } = await keyWith({ scopes: ['jobs:read'] });
      await client.get('/me', { key });
      await client.get(`/templates?apiKey=${key}`, { key: null });

      expect(service.log.join('\n')).not.toContain(key);
      expect(service.log.join('\n')).not.toContain('e2e-bootstrap-key');
    });
  });
});

/** All stored data of the service: its files, or the rows of accounts and senders on an external database. */
async function everythingStored({ dataDir, databaseUrl }: Store): Promise<Buffer> {
  if (databaseUrl === undefined) {
    const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    return Buffer.concat(await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name)))));
  }
  const postgres = new Postgres({ connectionString: databaseUrl });
  await postgres.connect();
  try {
    const rows = await postgres.query<Record<string, unknown>>(
      'SELECT a.*, s.* FROM accounts a JOIN senders s ON s.account_id = a.id',
    );
    const values = rows.rows.flatMap((row) => Object.values(row));
    return Buffer.concat(values.map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value)))));
  } finally {
    await postgres.end();
  }
}

/** Every operation of an OpenAPI document. */
function routesOf(document: unknown): Route[] {
  const { paths } = document as {
    paths: Record<string, Record<string, { security?: unknown[]; 'x-required-scope'?: string }>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      scope: operation['x-required-scope'],
      needsKey: (operation.security ?? []).length > 0,
    })),
  );
}
