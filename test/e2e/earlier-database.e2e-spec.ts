import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as PostgresClient } from 'pg';
import { dumpOf, EARLIER_VERSIONS, type EarlierVersion } from '../support/earlier-databases';
import { Client } from '../support/process/client';
import { freshDatabase } from '../support/process/databases';
import { outcomeOf, type Service, spawnService, startService, type Store } from '../support/process/service';

/** The secrets in those databases are encrypted with it. */
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

/** Runs in a separate process, like the embedded database of the built service. */
const LOAD_EMBEDDED = `
const { PGlite } = require('@electric-sql/pglite');
const sql = require('node:fs').readFileSync(0, 'utf8');
const database = new PGlite(process.argv[1]);
database.exec(sql).then(() => database.close());`;

async function storeOf(version: EarlierVersion, forget = ''): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'mta-e2e-'));
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const sql = `${dumpOf(version)} DELETE FROM migrations WHERE name = '${forget}';`;
  const database = process.env.DATABASE_URL ? await freshDatabase(process.env.DATABASE_URL) : undefined;
  if (database) {
    const client = new PostgresClient(database.url);
    await client.connect();
    await client.query(sql);
    await client.end();
  } else {
    execFileSync(process.execPath, ['-e', LOAD_EMBEDDED, join(dataDir, 'database')], { input: sql });
  }
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
  let store: Store | undefined;

  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await store?.drop();
  });

  it.each(EARLIER_VERSIONS)('is used unchanged: %s', async (version) => {
    store = await storeOf(version);
    service = await startService({ store, env: { ENCRYPTION_KEY } });
    const client = new Client(service);

    expect(service.log.join('\n')).toContain('Migrated the database: ');
    const jobs = await client.get('/bulk-jobs?reference=autumn');
    expect(jobs.body).toMatchObject({ items: [{ status: 'Completed', totalRecipients: 24 }] });
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

  it('is rejected with the remedy if its tables are older than version 0.1', async () => {
    store = await storeOf('0042', 'DeliveryActivityNeverTried1790000000042');
    const { code, output } = await outcomeOf(spawnService(store, { env: { ENCRYPTION_KEY } }), 60_000);
    expect(code).toBe(1);
    expect(output).toContain('Startup failed:\nThe tables of this database are older than version 0.1');
  });
});
