import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client as Postgres } from 'pg';
import { anotherAccount } from '../support/process/accounts';
import { Client } from '../support/process/client';
import { expectError, expectFieldErrors } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { type Service, startService, type Store } from '../support/process/service';

const TOKEN = 'EAAG-write-only-token-4711';
const APP_SECRET = 'write-only-app-secret-4711';
const NOBODY = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';
const SENDER = { phoneNumberId: '700000000009001', businessAccountId: '800000000009001' };

describe('The accounts of the service', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start({ autoCreateSenders: true });
    service = await startService({
      platformUrl: platform.url,
      env: { MESSAGES_PER_SECOND: '777', MESSAGING_TIER: '10000' },
    });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const change = (id: string, body: object, key?: string) => client.call('PATCH', `/accounts/${id}`, { body, key });

  it('begin with one that has the sender of the environment, with the pace and tier that it names', async () => {
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
          displayPhoneNumber: null,
          messagesPerSecond: 777,
          messagingTier: '10000',
        },
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it('are made with what they are given, and read, listed and changed by id', async () => {
    const fields = {
      name: 'Shop GmbH',
      plan: 'Business',
      defaultCountry: 'DE',
      businessPortfolioId: '300876543210003',
      sendingPaused: false,
    };
    const sender = { ...SENDER, displayPhoneNumber: '+49 30 1234', messagesPerSecond: 100_000, messagingTier: '250' };
    const made = await client.post('/accounts', { ...fields, sender });

    expect(made).toMatchObject({ status: 201, body: { ...fields, status: 'Active', sender } });
    expect((await client.get(`/accounts/${made.body.id}`)).body).toEqual(made.body);
    expect((await client.get('/accounts')).body.items[0]).toEqual(made.body);
    const changed = await change(made.body.id as string, {
      plan: 'Pro',
      defaultCountry: null,
      sender: { messagesPerSecond: 1 },
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Shop GmbH', plan: 'Pro', defaultCountry: null, sender: { ...sender, messagesPerSecond: 1 } },
    });
  });

  it('never show the token and the app secret of a sender, nor keep them readable on disk', async () => {
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

    expect(answers.map(({ status }) => status)).toEqual([422, 201, 200, 200, 200, 200, 200, 400]);
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

    expect((await client.post('/templates/sync', undefined, { key })).body).toMatchObject({
      complete: false,
      added: 0,
    });
    await change(account.id as string, { sender: { accessToken: own.accessToken } });
    expect((await client.post('/templates/sync', undefined, { key })).body).toMatchObject({
      complete: true,
      added: 19,
    });
    expect((await send()).status).toBe(201);
  });

  it.each([
    ['nothing', {}, { name: 'required', plan: 'required' }],
    ['an unknown plan', { name: 'x', plan: 'Gold' }, { plan: 'not_allowed' }],
    ['the name of a plan in small letters', { name: 'x', plan: 'free' }, { plan: 'not_allowed' }],
    ['a plan of the language', { name: 'x', plan: 'constructor' }, { plan: 'not_allowed' }],
    [
      'a sender without ids',
      { name: 'x', plan: 'Free', sender: {} },
      { 'sender.phoneNumberId': 'required', 'sender.businessAccountId': 'required' },
    ],
    ['a sender that is no object', { name: 'x', plan: 'Free', sender: 'x' }, { sender: 'wrong_type' }],
    [
      'a pace of 0',
      { name: 'x', plan: 'Free', sender: { ...SENDER, messagesPerSecond: 0 } },
      { 'sender.messagesPerSecond': 'out_of_range' },
    ],
    [
      'a pace above 100,000',
      { name: 'x', plan: 'Free', sender: { ...SENDER, messagesPerSecond: 100_001 } },
      { 'sender.messagesPerSecond': 'out_of_range' },
    ],
    [
      'an unknown tier',
      { name: 'x', plan: 'Free', sender: { ...SENDER, messagingTier: '500' } },
      { 'sender.messagingTier': 'not_allowed' },
    ],
    [
      'a country that is none',
      { name: 'x', plan: 'Free', defaultCountry: 'Germany' },
      { defaultCountry: 'not_allowed' },
    ],
    ['an unknown field', { name: 'x', plan: 'Free', admin: true }, { admin: 'unknown_field' }],
  ])('are not made from %s', async (_, fields, errors) => {
    expectFieldErrors(await client.post('/accounts', fields), errors);
  });

  it('share no phone number of the platform', async () => {
    const sender = { phoneNumberId: '109876543210001', businessAccountId: '204876543210002' };

    expectError(await client.post('/accounts', { name: 'Twin', plan: 'Free', sender }), 409, 'phone_number_taken');
  });

  it.each([
    ['nobody has', NOBODY],
    ['is no UUID', 'nonsense'],
  ])('are 404 for an id that %s', async (_, id) => {
    expectError(await client.get(`/accounts/${id}`), 404, 'account_not_found');
    expectError(await change(id, { name: 'x' }), 404, 'account_not_found');
    expectError(
      await client.post(`/accounts/${id}/api-keys`, { name: 'k', scopes: ['jobs:read'] }),
      404,
      'account_not_found',
    );
  });

  it('get keys with any scopes from the operator, and see nothing of each other', async () => {
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

  it('are told 403 everywhere while they are suspended, and go on after it', async () => {
    const { id, key } = await anotherAccount(client);
    await change(id, { status: 'Suspended' });

    for (const path of ['/me', '/templates', '/bulk-jobs'])
      expectError(await client.get(path, { key }), 403, 'account_suspended');
    expectError(await client.post('/send-template', {}, { key }), 403, 'account_suspended');
    await change(id, { status: 'Active' });
    expect((await client.get('/me', { key })).status).toBe(200);
  });

  it('cannot suspend themselves', async () => {
    const { id } = (await client.get('/me')).body.account;

    expectError(await change(id as string, { status: 'Suspended' }), 409, 'own_account');
    expect((await client.get('/me')).body.account.status).toBe('Active');
  });

  it('show in /me that sending is paused', async () => {
    const { id, key } = await anotherAccount(client);
    await change(id, { sendingPaused: true });

    expect((await client.get('/me', { key })).body.account).toMatchObject({ id, sendingPaused: true });
  });
});

/** Every byte that the service has stored: its files, or the rows of accounts and senders where the database is beside. */
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
