import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataSource } from '../../src/infra/database/data-source';
import { becomeEarlier, EARLIER_VERSIONS, type EarlierVersion } from '../support/earlier-databases';
import { Client } from '../support/process/client';
import { freshDatabase } from '../support/process/databases';
import { outcomeOf, type Service, spawnService, startService, type Store } from '../support/process/service';

/** The secrets in those databases are encrypted with it. */
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

async function storeOf(version: EarlierVersion, forget = ''): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'mta-e2e-'));
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const database = process.env.DATABASE_URL ? await freshDatabase(process.env.DATABASE_URL) : undefined;
  const source = await openDataSource({ databaseUrl: database?.url, dataDir }, []);
  await becomeEarlier(source, version);
  await source.query('DELETE FROM migrations WHERE name = $1', [forget]);
  await source.destroy();
  return {
    dataDir,
    databaseUrl: database?.url,
    async drop() {
      await database?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describe('A database of an earlier version', () => {
  let service: Service | undefined;
  let store: Store;

  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await store.drop();
  });

  it.each(EARLIER_VERSIONS)('is used as it is: %s', async (version) => {
    store = await storeOf(version);
    service = await startService({ store, env: { ENCRYPTION_KEY } });
    const client = new Client(service);

    expect(service.log.join('\n')).toContain('Migrated the database: ');
    const jobs = await client.get('/bulk-jobs?reference=autumn');
    expect(jobs.body).toMatchObject({ items: [{ status: 'Completed', totalRecipients: 24, invalidRows: 1 }] });
    const contacts = await client.get('/contacts?search=5491123456789');
    expect(contacts.body).toMatchObject({ items: [{ phone: '5491123456789', name: 'Ana' }] });
    const sent = await client.post('/send-template', {
      to: '4915112345678',
      templateName: 'order_update',
      templateParameters: [{ text: 'Mira' }, { text: 'PK-1' }],
    });
    expect(sent).toMatchObject({ status: 201, body: { status: 'Sent' } });
    expect(await service.stop()).toBe(0);
    service = await startService({ store, env: { ENCRYPTION_KEY } });
    expect(service.log.join('\n')).not.toContain('Migrated the database: ');
  });

  it('is refused with what to do if its tables are older than version 0.1', async () => {
    store = await storeOf('0042', 'DeliveryActivityNeverTried1790000000042');
    const { code, output } = await outcomeOf(spawnService(store, { env: { ENCRYPTION_KEY } }), 60_000);
    expect(code).toBe(1);
    expect(output).toContain('It could not start:\nThe tables of this database are older than version 0.1');
  });
});
