import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '../../support/process/client';
import { emptyStore, type Service, startService, type Store, until } from '../../support/process/service';

describe('The first start of a new installation', () => {
  let service: Service;
  let client: Client;
  let fresh: Store;

  beforeAll(async () => {
    fresh = await emptyStore();
    service = await startService({ store: fresh, env: { BOOTSTRAP_API_KEY: '', MESSAGES_PER_SECOND: '' } });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await fresh?.drop();
  });

  const keyFile = () => join(fresh.dataDir, 'first-api-key');

  it('writes the first key only to a file that only its owner can read', async () => {
    const key = (await readFile(keyFile(), 'utf8')).trim();

    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
    expect(key).toMatch(/^mta_[0-9a-f]{8}_[\w-]{43}$/);
    expect(service.log.join('\n')).not.toContain(key);
    const me = await client.get('/me', { key });
    expect(me).toMatchObject({ status: 200, body: { plan: 'Enterprise' } });
    expect(me.body.scopes).toHaveLength(12);
  });

  it('logs the essentials in at most ten lines, the address last', () => {
    const started = service.log.findIndex((line) => line.includes('Listens on'));
    const lines = service.log.slice(0, started + 1);
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(lines.join('\n')).not.toMatch(/dependencies initialized|Mapped/);
    expect(lines.at(-2)).toContain('sandbox at http');
    expect(lines.at(-1)).toContain(`console at ${service.url}/console (sign in with the key in ${keyFile()})`);
  });

  it('gives the first sender a pace of 80 per second and an unlimited tier', async () => {
    const key = (await readFile(keyFile(), 'utf8')).trim();
    const [account] = (await client.get('/accounts', { key })).body.items;

    expect(account.sender).toMatchObject({ messagesPerSecond: 80, messagingTier: 'Unlimited' });
  });

  it('can send immediately, to its built-in sandbox', async () => {
    const key = (await readFile(keyFile(), 'utf8')).trim();
    const answer = await client.post('/send-template', { to: '4915112345678', templateName: 'hello_world' }, { key });

    expect(answer).toMatchObject({ status: 201, body: { status: 'Sent' } });
    expect(service.log.join('\n')).toMatch(/sandbox at http/);
  });

  it('keeps key, account and templates across a restart, and applies the pace set then', async () => {
    const key = (await readFile(keyFile(), 'utf8')).trim();
    // With DATABASE_URL there is no data directory in which the sandbox could keep its templates.
    const keepsTemplates = fresh.databaseUrl === undefined;
    if (keepsTemplates) {
      const body = { text: 'Your parcel is here.' };
      const draft = { name: 'kept', languageCode: 'en_US', category: 'Utility', body };
      const { id } = (await client.post('/templates', draft, { key })).body;
      const isApproved = async () => (await client.get(`/templates/${id}`, { key })).body.status === 'Approved';
      await until(isApproved, 20_000, 'the sandbox approves the template');
    }
    expect(await service.stop()).toBe(0);
    service = await startService({ store: fresh, env: { MESSAGES_PER_SECOND: '123', MESSAGING_TIER: '2000' } });
    client = new Client(service);

    const { body } = await client.get('/accounts', { key });
    expect(body).toMatchObject({
      totalCount: 1,
      items: [{ sender: { messagesPerSecond: 123, messagingTier: '2000' } }],
    });
    const message = { to: '4915112345678', templateName: keepsTemplates ? 'kept' : 'hello_world' };
    const sent = await client.post('/send-template', message, { key });
    expect(sent).toMatchObject({ status: 201, body: { status: 'Sent' } });
    // The environment's key applies only to a service without accounts.
    expect((await client.get('/me')).status).toBe(401);
  });
});
