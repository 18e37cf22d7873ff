import { createHash, randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import { SAMPLE_FILES } from '../../src/modules/media/fixtures/sample-files';
import { Client, type Json } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { KEY, type Service, startService, until } from '../support/process/service';
import { freePort } from '../support/free-port';

const MEGABYTE = 1024 * 1024;

describe('Media', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    // In a separate process: the sandbox holds files in memory, which would distort the measurement.
    platform = await Platform.spawn({ strictMedia: true });
    const port = await freePort();
    service = await startService({
      platformUrl: platform.url,
      env: { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` },
    });
    client = new Client(service);
    await platform.subscribed();
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const upload = (content: Buffer, name: string, fields: Record<string, string> = {}) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(content)]), name);
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    return client.call('POST', '/media', { form });
  };
  const picture = () => Buffer.concat([SAMPLE_FILES.jpeg, randomBytes(100_000)]);

  /** A person sends a picture; returns its message once it is listed. */
  const receive = async (from: string, mediaId: string): Promise<Json> => {
    const content = { id: mediaId, mime_type: 'image/jpeg' };
    const inbound = await fetch(`${platform.url}/sandbox/inbound`, {
      method: 'POST',
      body: JSON.stringify({ from, type: 'image', content }),
    });
    expect(inbound.status).toBe(200);
    let message: Json;
    const isListed = async () => {
      const [conversation] = (await client.get(`/conversations?search=${from}`)).body.items;
      [message] = (await client.get(`/conversations/${conversation.id}/messages`)).body.items;
      return message !== undefined;
    };
    await until(isListed, 15_000, 'the message is listed');
    return message;
  };
  const download = async (messageId: string) => {
    const answer = await fetch(`${service.api}/messages/${messageId}/media`, { headers: { 'x-api-key': KEY } });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  it('when uploaded can be the header of a template', async () => {
    const { status, body } = await upload(picture(), 'summer.jpg');
    expect([status, body]).toMatchObject([201, { kind: 'image', mimeType: 'image/jpeg', fileName: 'summer.jpg' }]);

    const sent = await client.post('/send-template', {
      to: '4915123450010',
      templateName: 'summer_sale',
      languageCode: 'en_US',
      templateParameters: [{ text: 'Mira' }],
      headerMediaId: body.mediaId,
    });
    expect(sent.status).toBe(201);
    const [accepted] = await platform.ledger();
    expect(accepted?.header).toEqual({ type: 'image', id: body.mediaId });
  });

  it('sent as a header or a reply is served from the platform as long as it has the file', async () => {
    const content = picture();
    const mediaId = (await upload(content, 'ours.jpg')).body.mediaId as string;
    const template = { templateName: 'summer_sale', languageCode: 'en_US', templateParameters: [{ text: 'Mira' }] };
    const theirs = (await upload(picture(), 'theirs.jpg')).body.mediaId as string;
    const { conversationId } = await receive('4915123450040', theirs);
    const inTemplate = await client.post('/send-template', {
      ...template,
      to: '4915123450040',
      headerMediaId: mediaId,
    });
    const inReply = await client.post(`/conversations/${conversationId}/messages`, { type: 'Image', mediaId });
    const linked = { type: 'Image', mediaUrl: 'https://files.example.com/label.png' };
    const byLink = await client.post(`/conversations/${conversationId}/messages`, linked);
    const plain = await client.post('/send-template', { to: '4915123450040', templateName: 'hello_world' });

    const sent = [inTemplate, inReply].map(({ body }) => body.messageId as string);
    for (const messageId of sent) {
      const file = await download(messageId);
      expect([file.status, file.headers.get('content-type'), file.bytes.equals(content)]).toEqual([
        200,
        'image/jpeg',
        true,
      ]);
      expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${messageId}.jpg"`);
    }
    const reasons = (ids: unknown[]) =>
      Promise.all(ids.map(async (id): Promise<unknown> => (await client.get(`/messages/${String(id)}/media`)).body));
    expect(await reasons([byLink.body.messageId, plain.body.messageId])).toMatchObject([
      { code: 'media_not_found', message: expect.stringContaining('with a link') },
      { code: 'media_not_found', message: expect.stringContaining('without a file') },
    ]);

    const headers = { authorization: `Bearer ${SANDBOX_CREDENTIALS.accessToken}` };
    expect((await fetch(`${platform.url}/v25.0/${mediaId}`, { method: 'DELETE', headers })).ok).toBe(true);
    expect(await reasons(sent)).toMatchObject([
      { code: 'media_not_found', message: expect.stringContaining('30 days') },
      { code: 'media_not_found', message: expect.stringContaining('30 days') },
    ]);
  });

  it('leaves connections to others while a client does not read the files of its messages', async () => {
    const large = Buffer.concat([SAMPLE_FILES.pdf, Buffer.alloc(20 * MEGABYTE)]);
    const mediaId = (await upload(large, 'large.pdf')).body.mediaId as string;
    const { conversationId } = await receive(
      '4915123450050',
      (await upload(picture(), 'theirs.jpg')).body.mediaId as string,
    );
    const reply = { type: 'Document', mediaId };
    const { messageId } = (await client.post(`/conversations/${conversationId}/messages`, reply)).body;
    const url = `${service.api}/messages/${String(messageId)}/media`;
    const unread = await Promise.all(
      Array.from(
        { length: 4 },
        () =>
          new Promise<IncomingMessage>((resolve) => {
            get(url, { headers: { 'x-api-key': KEY }, agent: false }, resolve);
          }),
      ),
    );
    expect((await upload(picture(), 'other.jpg')).status).toBe(201);
    expectError(await client.get(`/messages/${String(messageId)}/media`), 503, 'service_unavailable');
    for (const response of unread) response.destroy();
    await until(
      async () => (await download(messageId as string)).bytes.equals(large),
      15_000,
      'the file is served again',
    );
  });

  it("for a template's example becomes a handle", async () => {
    const { status, body } = await upload(picture(), 'example.jpg', { purpose: 'TemplateExample' });
    expect([status, body]).toMatchObject([
      201,
      { mediaId: null, expiresAt: null, handle: expect.stringMatching(/^4::/) },
    ]);
  });

  it('received from a person is stored, served, answered with other media, and deleted with its conversation', async () => {
    const from = '4915123450020';
    const content = picture();
    const { body } = await upload(content, 'theirs.jpg');
    const message = await receive(from, body.mediaId as string);
    await until(async () => (await download(message.id as string)).status === 200, 15_000, 'the file is fetched');
    const file = await download(message.id as string);
    expect(file.bytes.equals(content)).toBe(true);
    expect(file.headers.get('content-type')).toBe('image/jpeg');
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; /);
    const path = join(service.store.dataDir, 'media', String(message.id).slice(-3), String(message.id));
    expect((await stat(path)).mode & 0o777).toBe(0o600);

    const reply = { type: 'Image', mediaId: (await upload(picture(), 'ours.jpg')).body.mediaId as string };
    const replied = await client.post(`/conversations/${message.conversationId}/messages`, reply);
    expect([replied.status, replied.body]).toEqual([201, expect.anything()]);

    expect((await client.call('DELETE', `/conversations/${message.conversationId}`)).status).toBeLessThan(300);
    expect((await download(message.id as string)).status).toBe(404);
    const isGone = () =>
      stat(path).then(
        () => false,
        () => true,
      );
    await until(isGone, 15_000, 'the file is deleted');
  });

  it('is uploaded to the platform without being held in memory', async () => {
    const content = Buffer.concat([SAMPLE_FILES.pdf, randomBytes(1024), Buffer.alloc(90 * MEGABYTE)]);
    await upload(content.subarray(0, MEGABYTE), 'warm.pdf');
    const before = await memoryOf(service.pid);
    let most = before;
    let done = false;
    const answered = upload(content, 'large.pdf').finally(() => (done = true));
    while (!done) {
      most = Math.max(most, await memoryOf(service.pid));
      await pause(10);
    }
    const { status, body } = await answered;

    expect([status, body]).toMatchObject([201, { kind: 'document', size: content.length }]);
    expect(body.sha256).toBe(createHash('sha256').update(content).digest('hex'));
    expect((most - before) / MEGABYTE).toBeLessThan(60);
  });

  it('is rejected without one of the relevant scopes', async () => {
    const { body } = await client.post('/api-keys', { name: 'reader', scopes: ['messaging:read', 'jobs:manage'] });
    const form = new FormData();
    expectError(await client.call('POST', '/media', { key: body.key as string, form }), 403, 'missing_scope');
    const key = (await client.post('/api-keys', { name: 'sender', scopes: ['messaging:send'] })).body.key as string;
    expectError(
      await client.get('/messages/0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11/media', { key }),
      403,
      'missing_scope',
    );
  });
});

/** Resident memory of a process in bytes. */
async function memoryOf(pid: number): Promise<number> {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
