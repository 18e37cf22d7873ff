import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { newPhones } from '../support/process/bulk';
import { anotherAccount } from '../support/process/accounts';
import { Client } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { KEY, type Service, startService, until } from '../support/process/service';

/** Within this time an account stops sending, in every process. */
const STOP_MS = 2000;

describe('The last day of an account', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start({ autoCreateSenders: true });
    service = await startService({ platformUrl: platform.url });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  it('gives the operator everything in one archive, and ends its keys and its sending', async () => {
    const { id, key } = await anotherAccount(client, { messagesPerSecond: 20 });
    const [to, templateName] = ['4915112345678', 'hello_world'];
    expect((await client.post('/send-template', { to, templateName }, { key })).status).toBe(201);
    const job = await client.post('/bulk-jobs', { templateName, hold: true, recipients: [{ to }] }, { key });
    expect(job.status).toBe(202);

    const url = `${service.url}/api/v1/messaging/accounts/${id}/export`;
    const archive = await fetch(url, { headers: { 'X-API-Key': KEY } });
    expect(Object.fromEntries(archive.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="account-${id}.zip"`,
    });
    const files = await filesOf(Buffer.from(await archive.arrayBuffer()));
    const line = (file: string) => JSON.parse(files.get(file)!) as object;
    expect(line('account.jsonl')).toMatchObject({ id, status: 'Active' });
    expect(line('messages.jsonl')).toMatchObject({ contactPhone: to, templateName });
    expect(line('jobs.jsonl')).toMatchObject({ id: job.body.jobId, status: 'Paused' });
    expectError(await client.get(`/accounts/${id}/export`, { key }), 403, 'missing_scope');

    const { body: ofAccount } = await client.get(`/accounts/${id}/senders`);
    const path = `/accounts/${id}/senders/${ofAccount.items[0].id}/export`;
    const part = await fetch(`${service.url}/api/v1/messaging${path}`, { headers: { 'X-API-Key': KEY } });
    expect(part.headers.get('content-disposition')).toBe(`attachment; filename="sender-${ofAccount.items[0].id}.zip"`);
    const filesOfSender = await filesOf(Buffer.from(await part.arrayBuffer()));
    expect([...filesOfSender.keys()].sort()).toEqual([
      ...['audit-log.jsonl', 'conversations.jsonl', 'jobs.jsonl', 'media.jsonl', 'messages.jsonl', 'recipients.jsonl'],
      'senders.jsonl',
    ]);
    expect(filesOfSender.get('messages.jsonl')).toBe(files.get('messages.jsonl'));
    expectError(await client.get(path, { key }), 403, 'missing_scope');
    expectError(await client.get(`/accounts/${id}/senders/${id}/export`), 404, 'sender_not_found');

    const recipients = newPhones()(300).map((phone) => ({ to: phone }));
    expect((await client.post('/bulk-jobs', { templateName, recipients }, { key })).status).toBe(202);
    const accepted = async () => (await platform.accepted()).length;
    await until(async () => (await accepted()) >= 20, 30_000, 'the job sends');

    expect(await client.call('DELETE', `/accounts/${id}`)).toMatchObject({ status: 202, body: { status: 'Deleting' } });
    await new Promise((resolve) => setTimeout(resolve, STOP_MS));
    const before = await accepted();
    expect(before).toBeLessThan(recipients.length);
    await until(async () => (await client.get('/me', { key })).status === 401, 5000, 'the key is invalid');
    expectError(await client.post(`/bulk-jobs/${job.body.jobId}/resume`, {}, { key }), 401, 'unauthorized');
    expect((await client.get(`/accounts/${id}`)).body.status).toBe('Deleting');
    expectError(await client.call('PATCH', `/accounts/${id}`, { body: { name: 'Back' } }), 409, 'account_deleting');
    // The job had some ten seconds left.
    await new Promise((resolve) => setTimeout(resolve, STOP_MS));
    expect(await accepted()).toBe(before);
  });
});

/** The texts of the files of a zip archive. */
async function filesOf(archive: Buffer): Promise<Map<string, string>> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(archive, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  const files = new Map<string, string>();
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(files));
    zip.on('entry', (entry: Entry) => {
      zip.openReadStream(entry, (error, content) => {
        if (error) return reject(error);
        void content.toArray().then((parts: Buffer[]) => {
          files.set(entry.fileName, Buffer.concat(parts).toString());
          zip.readEntry();
        }, reject);
      });
    });
    zip.readEntry();
  });
}
