import { Client } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { type Service, startService } from '../support/process/service';

const UUID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';
const WITHOUT_KEY = ['/health/live', '/health/ready', '/metrics', '/webhooks/platform'];
const PREFIX = '/api/v1/messaging';

interface Route {
  method: string;
  path: string;
  scope?: string;
  needsKey: boolean;
}

describe('Access', () => {
  let service: Service;
  let client: Client;
  let routes: Route[];

  beforeAll(async () => {
    service = await startService();
    client = new Client(service);
    routes = routesOf(await (await fetch(`${service.url}/docs-json`)).json());
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
  });

  const keyWith = async (fields: Record<string, unknown>): Promise<{ id: string; key: string }> => {
    const { status, body } = await client.post('/api-keys', { name: 'k', ...fields });
    expect(status).toBe(201);
    return body as { id: string; key: string };
  };
  const call = ({ method, path }: Route, key: string | null) =>
    client.call(method, path.replace(/\{\w+\}/g, UUID).slice(PREFIX.length), { key });

  describe('without a valid key', () => {
    it('is refused by every route but the public ones', async () => {
      const guarded = routes.filter(({ path }) => path.startsWith(PREFIX));

      expect(guarded.length).toBeGreaterThan(20);
      expect(routes.filter(({ needsKey }) => !needsKey).map(({ path }) => path)).toEqual(
        expect.not.arrayContaining(guarded.map(({ path }) => path)),
      );
      for (const route of routes.filter(({ path }) => !path.startsWith(PREFIX)))
        expect(WITHOUT_KEY).toContain(route.path);
      for (const route of guarded) expectError(await call(route, null), 401, 'unauthorized');
    });

    it('is told which header to send', async () => {
      expect((await client.get('/me', { key: null })).body).toEqual({
        error: 'Unauthorized',
        message: expect.stringContaining('X-API-Key'),
        statusCode: 401,
        code: 'unauthorized',
        requestId: expect.any(String),
      });
    });

    it.each([
      ['unknown', 'mta_00000000_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
      ['nonsense', "' OR 1=1 --"],
      ['a blank', ' '],
      ['a thousand characters', 'k'.repeat(1000)],
      ['the right one in capital letters', 'E2E-BOOTSTRAP-KEY-0123456789ABCDEF'],
      ['the right one with more behind it', 'e2e-bootstrap-key-0123456789abcdef0'],
      ['the right one twice', 'e2e-bootstrap-key-0123456789abcdef, e2e-bootstrap-key-0123456789abcdef'],
    ])('is 401 for a key that is %s', async (_, key) => {
      expectError(await client.get('/me', { key }), 401, 'unauthorized');
    });

    it.each(['X-API-Key', 'x-api-key', 'apiKey', 'api_key', 'key'])(
      'is 401 for the key in the query as %s',
      async (name) => {
        const path = `/templates?${name}=e2e-bootstrap-key-0123456789abcdef`;

        expectError(await client.get(path, { key: null }), 401, 'unauthorized');
      },
    );

    it('is 401 for the key in the body', async () => {
      const key = 'e2e-bootstrap-key-0123456789abcdef';
      const body = { 'X-API-Key': key, apiKey: key, to: '4915112345678', templateName: 'hello_world' };

      expectError(await client.post('/send-template', body, { key: null }), 401, 'unauthorized');
    });

    it.each([
      ['a bearer token', { authorization: 'Bearer e2e-bootstrap-key-0123456789abcdef' }],
      ['a cookie', { cookie: 'x-api-key=e2e-bootstrap-key-0123456789abcdef' }],
    ])('is 401 for the key as %s', async (_, headers) => {
      expectError(await client.get('/me', { key: null, headers }), 401, 'unauthorized');
    });

    it('is 401 before anything else is looked at: body, id, content type or path', async () => {
      expectError(await client.post('/send-template', '{broken', { key: null }), 401, 'unauthorized');
      expectError(await client.get('/bulk-jobs/nonsense/status', { key: null }), 401, 'unauthorized');
      expectError(
        await client.post('/send-template', 'x', { key: null, headers: { 'content-type': 'text/plain' } }),
        401,
        'unauthorized',
      );
      expectError(await client.get('/templates?page=0', { key: null }), 401, 'unauthorized');
      expectError(await client.get('/no-such-path', { key: null }), 401, 'unauthorized');
    });

    it('is 401 once the key has expired', async () => {
      const { key } = await keyWith({ scopes: ['jobs:read'], expiresAt: new Date(Date.now() + 1500).toISOString() });
      expect((await client.get('/me', { key })).status).toBe(200);

      await new Promise((done) => setTimeout(done, 1700));
      expectError(await client.get('/me', { key }), 401, 'unauthorized');
    });

    it('is 401 at once when the key was revoked', async () => {
      const { id, key } = await keyWith({ scopes: ['jobs:read'] });
      expect((await client.get('/me', { key })).status).toBe(200);

      expect((await client.call('DELETE', `/api-keys/${id}`)).status).toBe(204);
      expectError(await client.get('/me', { key }), 401, 'unauthorized');
    });

    it('is 401 from an address that the key does not allow', async () => {
      const elsewhere = await keyWith({ scopes: ['jobs:read'], allowedIps: ['203.0.113.0/24', '2001:db8::/32'] });
      const here = await keyWith({ scopes: ['jobs:read'], allowedIps: ['203.0.113.7', '127.0.0.0/8'] });

      expectError(await client.get('/me', { key: elsewhere.key }), 401, 'unauthorized');
      const headers = { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7' };
      expectError(await client.get('/me', { key: elsewhere.key, headers }), 401, 'unauthorized');
      expect((await client.get('/me', { key: here.key })).status).toBe(200);
    });
  });

  describe('by scope', () => {
    it('is asked for by every route that works on anything of the account', () => {
      const free = routes.filter(({ needsKey, scope }) => needsKey && scope === undefined);

      expect(free.map(({ path }) => path)).toEqual([`${PREFIX}/me`]);
    });

    it('is granted by the scope that a route documents, and refused by name without it', async () => {
      const scopes = [...new Set(routes.map(({ scope }) => scope).filter((scope) => scope !== undefined))];
      const stranger = await keyWith({ scopes: ['webhooks:manage'] });
      expect(scopes.length).toBeGreaterThanOrEqual(8);
      for (const scope of scopes) {
        const owner = await keyWith({ scopes: [scope] });
        for (const route of routes.filter((candidate) => candidate.scope === scope)) {
          const granted = await call(route, owner.key);
          expect({ route, isOpen: ![401, 403, 500].includes(granted.status) }).toEqual({ route, isOpen: true });
          if (scope === 'webhooks:manage') continue;
          const refused = expectError(await call(route, stranger.key), 403, 'missing_scope');
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
    ])('%s opens what belongs to it and nothing else', async (scope, open, closed) => {
      const { key } = await keyWith({ scopes: [scope] });
      const statusOf = async (line: string): Promise<number> => {
        const [method = '', path = ''] = line.split(' ');
        return (await client.call(method, path, { key })).status;
      };

      for (const line of open) expect([line, await statusOf(line)]).not.toEqual([line, 403]);
      for (const line of closed) expect([line, await statusOf(line)]).toEqual([line, 403]);
    });

    it('is judged before the body, the content type, the id and the page', async () => {
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

    it('is told in the words of the specification', async () => {
      const { key } = await keyWith({ scopes: ['jobs:read'] });

      expect((await client.post('/send-template', {}, { key })).body).toEqual({
        error: 'Forbidden',
        message: expect.stringContaining('messaging:send'),
        statusCode: 403,
        code: 'missing_scope',
        requiredScope: 'messaging:send',
        requestId: expect.any(String),
      });
    });
  });

  describe('answers', () => {
    it.each(['abc', 'A-1_b', 'x'.repeat(64)])('carry the X-Request-Id %s that the client gave', async (id) => {
      const answer = await client.get('/bulk-jobs/nonsense/status', { headers: { 'x-request-id': id } });

      expect([answer.headers.get('x-request-id'), answer.body.requestId]).toEqual([id, id]);
    });

    it.each([
      ['absent', undefined],
      ['empty', ''],
      ['longer than 64 characters', 'x'.repeat(65)],
      ['not of letters, digits, _ and -', 'a b'],
      ['an attempt to write into the log', 'a";drop'],
    ])('carry a new X-Request-Id where the given one is %s', async (_, id) => {
      const answers = await Promise.all(
        [1, 2].map(() => client.get('/nothing', { headers: id === undefined ? {} : { 'x-request-id': id } })),
      );
      const ids = answers.map(({ headers }) => headers.get('x-request-id'));

      expect(new Set(ids).size).toBe(2);
      for (const made of ids) expect(made).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('are 404 for a path and 405 for a method that nothing serves', async () => {
      for (const path of ['/nothing', '/bulk-jobs/a/b/c']) {
        expectError(await client.get(path), 404, 'route_not_found');
      }
      for (const [method, path, allow] of [
        ['PUT', '/send-template', 'POST'],
        ['DELETE', '/templates', 'GET, POST'],
        ['POST', '/bulk-jobs/a/status', 'GET'],
      ] as const) {
        const answer = await client.call(method, path);
        expectError(answer, 405, 'method_not_allowed');
        expect(answer.headers.get('allow')).toBe(allow);
      }
    });

    it('are 404 before the body is looked at where nothing serves the path', async () => {
      expectError(await client.call('POST', '/bulk-import', { form: new FormData() }), 404, 'route_not_found');
      expectError(await client.post('/send', '{broken'), 404, 'route_not_found');
    });

    it('tell the state of the plan to every known key, whatever they are', async () => {
      const answers = [
        await client.get('/me'),
        await client.get('/templates?page=0'),
        await client.get('/bulk-jobs/nonsense'),
        await client.get('/nothing'),
        await client.post('/send-template', '{broken'),
        await client.get('/me', { key: (await keyWith({ scopes: ['jobs:read'] })).key }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 404, 400, 200]);
      for (const { headers } of answers) {
        expect(headers.get('ratelimit-limit')).toBe('1000');
        expect(headers.get('ratelimit-remaining')).toMatch(/^\d{3}$/);
        expect(headers.get('ratelimit-reset')).toMatch(/^\d+$/);
      }
    });

    it.each(['/', '/api', '/api/v2/messaging/templates', '/.env', '/api/v1/messaging/%E0%A4%A'])(
      'are 404 outside of the API: %s',
      async (path) => {
        const answer = await fetch(service.url + path);

        expect([answer.status, await answer.json()]).toEqual([
          404,
          expect.objectContaining({ code: 'route_not_found' }),
        ]);
      },
    );

    it('name no product and no version of what serves them', async () => {
      const { headers } = await client.get('/me');

      expect([headers.get('x-powered-by'), headers.get('server')]).toEqual([null, null]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
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
