import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PLANS from '../../config/plans.json';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { type Service, startService } from '../support/process/service';

const ROUNDS = 5;
const SCOPES = ['messaging:read', 'messaging:send', 'webhooks:manage', 'keys:manage'];

interface Tenant {
  id: string;
  path: string;
  keyId: string;
  key: string;
}

describe('Changes of one account at the same time', () => {
  let folder: string;
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mta-plans-'));
    const narrow = { ...PLANS.Enterprise, maxApiKeys: 4, maxWebhookEndpoints: 3 };
    await writeFile(join(folder, 'plans.json'), JSON.stringify({ ...PLANS, Narrow: narrow }));
    platform = await Platform.start({ autoCreateSenders: true });
    service = await startService({ platformUrl: platform.url, env: { PLANS_FILE: join(folder, 'plans.json') } });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function newTenant(plan = 'Enterprise'): Promise<Tenant> {
    const { id } = (await client.post('/accounts', { name: 'Tenant', plan })).body as { id: string };
    const path = `/accounts/${id}`;
    const { body } = await client.post(`${path}/api-keys`, { name: 'first', scopes: SCOPES });
    return { id, path, keyId: body.id as string, key: body.key as string };
  }

  it('do not undo its deletion', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { path } = await newTenant();
      const change = (name: string) => client.call('PATCH', path, { body: { status: 'Active', name } });
      const answers = await Promise.all([
        ...[change('a'), change('b')],
        client.call('DELETE', path),
        ...[change('c'), change('d')],
      ]);
      expect(answers[2]!.status).toBe(202);
      for (const { status } of answers.filter((_, index) => index !== 2)) expect([200, 409]).toContain(status);
      expect((await client.get(path)).body.status).toBe('Deleting');
    }
  });

  it('leave no valid key to a deleted account', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { path, key } = await newTenant();
      const add = (as?: string) =>
        client.post(as ? '/api-keys' : `${path}/api-keys`, { name: 'new', scopes: ['messaging:read'] }, { key: as });
      const added = [add(), add(key), add(), add(key)];
      const deletion = client.call('DELETE', path);
      const answers = await Promise.all([...added, add(), add(key), add(), add(key)]);
      expect((await deletion).status).toBe(202);
      const keys = answers.filter(({ status }) => status === 201).map(({ body }) => body.key as string);
      for (const one of [key, ...keys]) expect((await client.get('/me', { key: one })).status).toBe(401);
    }
  });

  it('leave it a key when two keys revoke each other', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { keyId, key } = await newTenant();
      const other = (await client.post('/api-keys', { name: 'other', scopes: SCOPES }, { key })).body as Tenant;
      const answers = await Promise.all([
        client.call('DELETE', `/api-keys/${other.id}`, { key }),
        client.call('DELETE', `/api-keys/${keyId}`, { key: other.key }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
      const valid = await Promise.all([key, other.key].map((one) => client.get('/me', { key: one })));
      expect(valid.map(({ status }) => status).sort()).toEqual([200, 401]);
    }
  });

  it.each([
    ['keys', '/api-keys', 'maxApiKeys', { name: 'more', scopes: ['messaging:read'] }, 3],
    [
      'webhook endpoints',
      '/webhook-endpoints',
      'maxWebhookEndpoints',
      { url: 'https://shop.example/hook', events: ['job.completed'] },
      3,
    ],
  ])('do not exceed the number of %s together', async (_, path, quota, body, free) => {
    const { key } = await newTenant('Narrow');
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.post(path, body, { key })));
    const created = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(created).toHaveLength(free);
    for (const one of refused) expect(one.body).toMatchObject({ code: 'quota_exceeded', quota });
  });
});
