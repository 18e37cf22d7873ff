import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { control, ended, listOf, phones } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { Platform } from '../../support/process/platform';
import { newStore, type Service, startService, type Store, until } from '../../support/process/service';

/** Enough rows that storing them takes several times `BEGUN_MS`, after which it has begun. */
const ROWS = 150_000;
const BEGUN_MS = 350;
const LEASE_MS = 20_000;

describe('A service killed while storing a job', () => {
  const file = listOf(phones(ROWS));
  const fields = { templateName: 'hello_world' };
  const call = { headers: { 'idempotency-key': 'the upload' } };
  let folder: string;
  let platform: Platform;
  let store: Store;
  let service: Service;
  let client: Client;

  const start = async () => {
    service = await startService({ store, platformUrl: platform.url, env: { TMPDIR: folder } });
    client = new Client(service);
  };
  const uploads = async () => (await readdir(folder)).filter((name) => name.startsWith('recipient-uploads'));
  const filesIn = async (directories: string[]) =>
    (await Promise.all(directories.map((name) => readdir(join(folder, name))))).flat();
  const receivedBytes = async () => {
    const [directory] = await uploads();
    const [name] = await filesIn([directory!]);
    return name === undefined ? 0 : (await stat(join(folder, directory!, name))).size;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mta-imports-'));
    platform = await Platform.start();
    store = await newStore();
    await start();
    const lost = client.upload(file, fields, call).catch(() => null);
    await until(async () => (await receivedBytes()) === file.content.length, 20_000, 'the file is received');
    await new Promise((done) => setTimeout(done, BEGUN_MS));
    await service.kill();
    expect(await lost).toBeNull();
  });

  afterAll(async () => {
    await service?.stop();
    await store?.drop();
    await platform?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('hides the job after the next start, and keeps no file', async () => {
    expect(await filesIn(await uploads())).toHaveLength(1);
    await start();
    expect((await client.get('/bulk-jobs')).body).toMatchObject({ items: [], totalCount: 0 });
    expect(await filesIn(await uploads())).toEqual([]);
    expect(await uploads()).toHaveLength(1);
    expect(await platform.ledger()).toEqual([]);
  });

  it('holds the key of the request until its lease has expired, then accepts it again', async () => {
    const held = await client.upload(file, fields, call);
    expect([held.status, held.body.code]).toEqual([409, 'idempotency_in_progress']);
    const other = await client.upload(file, { ...fields, reference: 'other' }, call);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch']);
    await new Promise((done) => setTimeout(done, LEASE_MS));
    const again = await client.upload(file, { ...fields, reference: 'again' }, call);
    expect([again.status, again.body.totalRecipients]).toEqual([202, ROWS]);
    expect((await client.get('/bulk-jobs')).body).toMatchObject({ totalCount: 1, items: [{ reference: 'again' }] });
    await control(client, 'cancel', again.body.jobId);
    await ended(client, again.body.jobId as string);
  });

  it('hides an interrupted retry, and accepts it again', async () => {
    const { body } = await client.get('/bulk-jobs');
    const [old] = body.items as { jobId: string; failed: number }[];
    const lost = client.post(`/bulk-jobs/${old!.jobId}/retry`).catch(() => null);
    await new Promise((done) => setTimeout(done, BEGUN_MS));
    await service.kill();
    expect(await lost).toBeNull();
    await start();
    expect((await client.get('/bulk-jobs')).body).toEqual(body);
    const again = await client.post(`/bulk-jobs/${old!.jobId}/retry`);
    expect([again.status, again.body.totalRecipients]).toEqual([202, old!.failed]);
    await control(client, 'cancel', again.body.jobId);
    await ended(client, again.body.jobId as string);
  });

  it('removes its partial rows within seconds of the end of its lease', async () => {
    const removed = () => service.log.some((line) => line.includes('Removed 1 incompletely stored jobs'));
    await until(() => Promise.resolve(removed()), LEASE_MS + 15_000, 'the rows are removed');
    expect((await client.get('/bulk-jobs')).body.totalCount).toBe(2);
  });
});
