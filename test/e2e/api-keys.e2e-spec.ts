import { Client, type Json } from '../support/process/client';
import { expectError, expectFieldErrors } from '../support/process/errors';
import { type Service, startService, until } from '../support/process/service';

const SECRET = /^mta_[0-9a-f]{8}_[\w-]{43}$/;
const NOBODY = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';

describe('The API keys of an account', () => {
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    service = await startService();
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
  });

  const create = async (fields: Record<string, unknown> = {}, key?: string): Promise<Json> =>
    (await client.post('/api-keys', { name: 'CRM', scopes: ['jobs:read'], ...fields }, { key })).body;
  const worksWith = async (key: string) => (await client.get('/me', { key })).status === 200;

  it('tell who they belong to and what they may do', async () => {
    const { key, prefix } = await create({ scopes: ['jobs:read', 'templates:read'] });
    const answer = await client.get('/me', { key });

    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      account: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Default',
        status: 'Active',
        sendingPaused: false,
      },
      plan: 'Enterprise',
      limits: { requestsPerSecond: 500, burst: 1000, maxRowsPerFile: 1_000_000 },
      scopes: ['jobs:read', 'templates:read'],
      keyPrefix: prefix,
    });
  });

  it('are made with their secret, which is told this once', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const fields = {
      name: 'CRM production',
      scopes: ['messaging:send'],
      expiresAt,
      allowedIps: ['127.0.0.1', '2001:db8::/32'],
    };
    const answer = await client.post('/api-keys', fields);

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...fields,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      key: expect.stringMatching(SECRET),
      prefix: (answer.body.key as string).split('_')[1],
      lastUsedAt: null,
      createdAt: expect.stringMatching(/Z$/),
    });
    const list = await client.get('/api-keys?pageSize=100');
    const { key, ...shown } = answer.body;
    expect(list.body.items).toContainEqual(shown);
    expect(JSON.stringify(list.body)).not.toContain(key);
  });

  it('are listed in pages, newest first, with when they were last used', async () => {
    const older = await create();
    const newer = await create();
    await worksWith(newer.key as string);
    const list = async (): Promise<Json> => (await client.get('/api-keys?pageSize=2')).body;
    // The use is noted beside the request, not before its answer.
    await until(async () => (await list()).items[0].lastUsedAt !== null, 30_000, 'the use of the key is noted');
    const body = await list();

    expect(body).toMatchObject({ page: 1, pageSize: 2, totalCount: expect.any(Number) });
    expect((body.items as { id: string }[]).map(({ id }) => id)).toEqual([newer.id, older.id]);
    expect(body.items[0].lastUsedAt).toMatch(/Z$/);
    expect(body.items[1].lastUsedAt).toBeNull();
    expectFieldErrors(await client.get('/api-keys?pageSize=0'), { pageSize: 'out_of_range' });
  });

  it.each([
    ['nothing', {}, { name: 'required', scopes: 'required' }],
    ['an unknown scope', { name: 'k', scopes: ['messaging:fly'] }, { scopes: 'not_allowed' }],
    ['no scope', { name: 'k', scopes: [] }, { scopes: 'too_few' }],
    ['a scope twice', { name: 'k', scopes: ['jobs:read', 'jobs:read'] }, { scopes: 'not_unique' }],
    ['a scope that is no list', { name: 'k', scopes: 'jobs:read' }, { scopes: 'wrong_type' }],
    ['a blank name', { name: '  ', scopes: ['jobs:read'] }, { name: 'invalid_format' }],
    [
      'an expiry in the past',
      { name: 'k', scopes: ['jobs:read'], expiresAt: '2020-01-01T00:00:00Z' },
      { expiresAt: 'invalid' },
    ],
    [
      'an expiry that is no time',
      { name: 'k', scopes: ['jobs:read'], expiresAt: 'tomorrow' },
      { expiresAt: 'invalid' },
    ],
    [
      'an address that is none',
      { name: 'k', scopes: ['jobs:read'], allowedIps: ['300.1.1.1'] },
      { allowedIps: 'invalid' },
    ],
    [
      'a range that is none',
      { name: 'k', scopes: ['jobs:read'], allowedIps: ['10.0.0.0/33'] },
      { allowedIps: 'invalid' },
    ],
    ['an unknown field', { name: 'k', scopes: ['jobs:read'], key: 'mine' }, { key: 'unknown_field' }],
  ])('are not made from %s', async (_, fields, errors) => {
    expectFieldErrors(await client.post('/api-keys', fields), errors);
  });

  it('cannot pass on a scope that they lack', async () => {
    const { key } = await create({ scopes: ['keys:manage', 'jobs:manage'] });

    const refused = expectError(
      await client.post('/api-keys', { name: 'more', scopes: ['jobs:read', 'messaging:send'] }, { key }),
      403,
      'beyond_own_key',
    );
    expect(refused.message).toContain('messaging:send');
    expect((await create({ scopes: ['jobs:read'] }, key as string)).key).toMatch(SECRET);
  });

  it('are changed in what is given, at once, and keep the rest', async () => {
    const { id, key, ...before } = await create({ name: 'old' });
    const answer = await client.call('PATCH', `/api-keys/${id}`, { body: { name: 'new', scopes: ['groups:read'] } });

    expect(answer).toMatchObject({
      status: 200,
      body: { id, name: 'new', scopes: ['groups:read'], prefix: before.prefix },
    });
    expect(answer.body).not.toHaveProperty('key');
    expect((await client.get('/groups', { key })).status).toBe(200);
    expectError(await client.get('/bulk-jobs', { key }), 403, 'missing_scope');
    await client.call('PATCH', `/api-keys/${id}`, { body: { allowedIps: ['203.0.113.7'] } });
    expect(await worksWith(key)).toBe(false);
    await client.call('PATCH', `/api-keys/${id}`, { body: { allowedIps: [] } });
    expect(await worksWith(key)).toBe(true);
  });

  it('work with their new secret alone once they are rotated', async () => {
    const { id, key: old } = await create();
    const answer = await client.post(`/api-keys/${id}/rotate`);

    expect(answer).toMatchObject({
      status: 201,
      body: { id, key: expect.stringMatching(SECRET), scopes: ['jobs:read'] },
    });
    expect(answer.body.key).not.toBe(old);
    expect(await worksWith(old)).toBe(false);
    expect(await worksWith(answer.body.key as string)).toBe(true);
  });

  it('may rotate themselves', async () => {
    const { id, key: old } = await create({ scopes: ['keys:manage'] });
    const { body } = await client.post(`/api-keys/${id}/rotate`, undefined, { key: old });

    expect([await worksWith(old), await worksWith(body.key as string)]).toEqual([false, true]);
  });

  it('are gone once they are revoked', async () => {
    const { id, key } = await create();
    const answer = await client.call('DELETE', `/api-keys/${id}`);

    expect([answer.status, answer.body]).toEqual([204, '']);
    expect(await worksWith(key)).toBe(false);
    expectError(await client.call('DELETE', `/api-keys/${id}`), 404, 'api_key_not_found');
    expectError(await client.post(`/api-keys/${id}/rotate`), 404, 'api_key_not_found');
    const { items } = (await client.get('/api-keys?pageSize=100')).body;
    expect((items as { id: string }[]).map((item) => item.id)).not.toContain(id);
  });

  it('cannot lock themselves out', async () => {
    const { id, key } = await create({ scopes: ['keys:manage'] });

    expectError(await client.call('DELETE', `/api-keys/${id}`, { key }), 409, 'key_in_use');
    expectError(
      await client.call('PATCH', `/api-keys/${id}`, { key, body: { scopes: ['jobs:read'] } }),
      409,
      'key_in_use',
    );
    expect((await client.call('PATCH', `/api-keys/${id}`, { key, body: { name: 'mine' } })).status).toBe(200);
    expect(await worksWith(key)).toBe(true);
  });

  it.each([
    ['nobody has', NOBODY],
    ['is no UUID', 'nonsense'],
  ])('are 404 for an id that %s', async (_, id) => {
    expectError(await client.call('PATCH', `/api-keys/${id}`, { body: { name: 'x' } }), 404, 'api_key_not_found');
    expectError(await client.call('DELETE', `/api-keys/${id}`), 404, 'api_key_not_found');
    expectError(await client.post(`/api-keys/${id}/rotate`), 404, 'api_key_not_found');
  });

  it('of another account are 404 and stay as they are', async () => {
    const account = (await client.post('/accounts', { name: 'Other', plan: 'Growth' })).body;
    const scopes = ['keys:manage'];
    const theirs = (await client.post(`/accounts/${account.id}/api-keys`, { name: 'k', scopes })).body;
    const mine = await create();

    expectError(await client.call('DELETE', `/api-keys/${mine.id}`, { key: theirs.key }), 404, 'api_key_not_found');
    expectError(
      await client.post(`/api-keys/${mine.id}/rotate`, undefined, { key: theirs.key }),
      404,
      'api_key_not_found',
    );
    expect((await client.get('/api-keys', { key: theirs.key })).body).toMatchObject({ totalCount: 1 });
    expect(await worksWith(mine.key as string)).toBe(true);
  });
});
