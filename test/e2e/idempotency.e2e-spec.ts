import { randomUUID } from 'node:crypto';
import { anotherAccount } from '../support/process/accounts';
import { listOf } from '../support/process/bulk';
import { type Answer, Client } from '../support/process/client';
import { expectError, expectFieldErrors } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { type Service, startService, until } from '../support/process/service';

let nextPhone = 4915113000010;
const hello = (to = String((nextPhone += 10))) => ({ to, templateName: 'hello_world' });
const isReplay = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';

describe('A request with an Idempotency-Key', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start({ autoCreateSenders: true });
    service = await startService({ platformUrl: platform.url, env: { PLATFORM_TIMEOUT_SECONDS: '2' } });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const send = (body: unknown, idempotencyKey: string, key?: string) =>
    client.post('/send-template', body, { key, headers: { 'idempotency-key': idempotencyKey } });
  const acceptedFor = async (to: string) => (await platform.accepted()).filter((phone) => phone.endsWith(to)).length;

  it('gets the stored response again, and nothing is sent twice', async () => {
    const request = hello();
    const key = randomUUID();
    const first = await send(request, key);
    const second = await send(request, key);

    expect(first.status).toBe(201);
    expect(isReplay(first)).toBe(false);
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect(isReplay(second)).toBe(true);
    expect(await acceptedFor(request.to)).toBe(1);
  });

  it('is the same request in any order of its fields', async () => {
    const request = { ...hello(), reference: 'r', templateParameters: [] };
    const key = randomUUID();
    const first = await send(request, key);
    const second = await send(Object.fromEntries(Object.entries(request).reverse()), key);

    expect([second.status, second.body.messageId]).toEqual([201, first.body.messageId]);
  });

  it('is 422 idempotency_mismatch with another body, and the first response stays', async () => {
    const request = hello();
    const key = randomUUID();
    const first = await send(request, key);

    expectError(await send({ ...request, reference: 'another' }, key), 422, 'idempotency_mismatch');
    expect((await send(request, key)).body).toEqual(first.body);
    expect(await acceptedFor(request.to)).toBe(1);
  });

  it('is 409 idempotency_in_progress while the first one runs; only one of many is sent', async () => {
    await platform.configure({ latencyMs: 800 });
    const request = hello();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(request, key)));
    await platform.configure({ latencyMs: 0 });

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expectError(answer, 409, 'idempotency_in_progress');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect(isReplay(await send(request, key))).toBe(true);
    expect(await acceptedFor(request.to)).toBe(1);
  });

  it('returns 202 again for an Unknown outcome, and nothing is sent twice', async () => {
    const request = hello('4915113110006');
    const key = randomUUID();
    const first = await send(request, key);
    const second = await send(request, key);

    expect(first).toMatchObject({ status: 202, body: { status: 'Unknown' } });
    expect(second).toMatchObject({ status: 202, body: { messageId: first.body.messageId } });
    expect(await acceptedFor(request.to)).toBe(1);
  });

  it('returns 422 recipient_unreachable again, with the same message and its own request id', async () => {
    const request = hello('4915113110002');
    const key = randomUUID();
    const first = expectError(await send(request, key), 422, 'recipient_unreachable');
    const arrivals = (await platform.stats()).arrivals;
    const again = await send(request, key);

    const second = expectError(again, 422, 'recipient_unreachable');
    expect({ ...second, requestId: '' }).toEqual({ ...first, requestId: '' });
    expect(isReplay(again)).toBe(true);
    expect((await platform.stats()).arrivals).toBe(arrivals);
  });

  it.each([
    ['400', { to: 'x', templateName: 'hello_world' }, 400],
    ['404', { to: '4915113111010', templateName: 'unknown_template' }, 404],
    ['422', { to: '4915113111010', templateName: 'order_update' }, 422],
  ])('frees the key after %s: a corrected request gets its own response', async (_, refused, status) => {
    const key = randomUUID();
    expect((await send(refused, key)).status).toBe(status);

    const answer = await send(hello(), key);
    expect(answer.status).toBe(201);
    expect(isReplay(answer)).toBe(false);
  });

  it('frees the key after 503', async () => {
    const request = hello();
    const key = randomUUID();
    const { port } = platform;
    await platform.close();
    expectError(await send(request, key), 503, 'platform_unavailable');
    platform = await Platform.start({ autoCreateSenders: true }, port);

    const answer = await send(request, key);
    expect(answer.status).toBe(201);
    expect(isReplay(answer)).toBe(false);
    expect(await acceptedFor(request.to)).toBe(1);
  });

  it('separates the keys of accounts', async () => {
    const other = await anotherAccount(client);
    const request = hello();
    const key = randomUUID();
    const mine = await send(request, key);
    const theirs = await send(request, key, other.key);

    expect(theirs.status).toBe(201);
    expect(isReplay(theirs)).toBe(false);
    expect(theirs.body.messageId).not.toBe(mine.body.messageId);
  });

  it('recognises a key of the account with any API key', async () => {
    const { body } = await client.post('/api-keys', { name: 'second', scopes: ['messaging:send'] });
    const request = hello();
    const key = randomUUID();
    const first = await send(request, key);

    expect((await send(request, key, body.key as string)).body).toEqual(first.body);
  });

  it('reveals nothing to a caller without a valid API key', async () => {
    const request = hello();
    const key = randomUUID();
    await send(request, key);

    expectError(await send(request, key, 'not-a-key'), 401, 'unauthorized');
  });

  it.each([
    ['empty', ''],
    ['longer than 255 characters', 'k'.repeat(256)],
    ['not printable ASCII', 'clé'],
  ])('is 400 when the key is %s', async (_, key) => {
    expectFieldErrors(await send(hello(), key), { 'Idempotency-Key': 'invalid_format' });
  });

  it('may have any 255 printable characters', async () => {
    const request = hello();
    const key = `"a b" #{%}~${'k'.repeat(244)}`;

    expect((await send(request, key)).status).toBe(201);
    expect(isReplay(await send(request, key))).toBe(true);
  });

  it('creates one job from a file uploaded twice, identified by its bytes', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const fields = { templateName: 'hello_world' };
    const numbers = ['4915113120010', '4915113120020'];
    const first = await client.upload(listOf(numbers), fields, { headers });
    const second = await client.upload({ ...listOf(numbers), name: 'renamed.csv' }, fields, { headers });

    expect(first.status).toBe(202);
    expect([second.status, second.body, isReplay(second)]).toEqual([202, first.body, true]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expectError(await client.upload(listOf(numbers.slice(1)), fields, { headers }), 422, 'idempotency_mismatch');
    expectError(
      await client.upload(listOf(numbers), { ...fields, reference: 'r' }, { headers }),
      422,
      'idempotency_mismatch',
    );
    const { items } = (await client.get('/bulk-jobs?kind=Import')).body;
    expect((items as { jobId: string }[]).map(({ jobId }) => jobId)).toEqual([first.body.jobId]);
  });

  it('creates one job for a group, and separates the keys of different paths', async () => {
    const group = (await client.post('/groups', { name: 'Customers' })).body;
    await client.post(`/groups/${group.id}/contacts`, { contacts: [{ phone: '4915113130010' }] });
    const request = { groupId: group.id as string, templateName: 'hello_world' };
    const key = randomUUID();
    const headers = { 'idempotency-key': key };
    const message = await send(hello(), key);
    const first = await client.post('/send-template-to-group', request, { headers });
    const second = await client.post('/send-template-to-group', request, { headers });

    expect(message.status).toBe(201);
    expect([first.status, isReplay(first)]).toEqual([202, false]);
    expect([second.status, second.body, isReplay(second)]).toEqual([202, first.body, true]);
    expectError(
      await client.post('/send-template-to-group', { ...request, reference: 'r' }, { headers }),
      422,
      'idempotency_mismatch',
    );
  });

  it.each([
    ['/groups', { name: 'Once', description: null }],
    ['/contacts', { phone: '4915113009991', name: 'Ann', parameters: { '2': 'b', '1': 'a' } }],
    ['/accounts', { name: 'Once', plan: 'Free' }],
    [
      '/templates',
      { name: 'only_once', languageCode: 'en_US', category: 'Utility', body: { text: 'Your parcel has arrived.' } },
    ],
  ])('to POST %s creates one, and is answered again with the same bytes', async (path, body) => {
    const post = (idempotencyKey: string, sent: object = body) =>
      client.post(path, sent, { headers: { 'idempotency-key': idempotencyKey } });
    const key = randomUUID();
    const first = await post(key);
    const again = await post(key);

    expect([first.status, isReplay(first)]).toEqual([201, false]);
    expect([again.status, isReplay(again)]).toEqual([201, true]);
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expectError(await post(key, { ...body, name: 'other' }), 422, 'idempotency_mismatch');
    expect((await client.get(`${path}/${first.body.id as string}`)).status).toBe(200);
    const { items } = (await client.get(`${path}?${path === '/contacts' ? 'limit=200' : 'pageSize=100'}`)).body;
    const alike = (items as { name: string }[]).filter(({ name }) => name === body.name);
    expect(alike).toHaveLength(1);
  });

  it('to POST /media uploads a file once', async () => {
    const key = randomUUID();
    const upload = () => {
      const form = new FormData();
      form.append('file', new Blob(['%PDF-1.4 once'], { type: 'application/pdf' }), 'once.pdf');
      return client.call('POST', '/media', { form, headers: { 'idempotency-key': key } });
    };
    const first = await upload();
    const again = await upload();

    expect([first.status, again.status, isReplay(again)]).toEqual([201, 201, true]);
    expect(again.body).toEqual(first.body);
  });

  it('frees the key of a creation that was refused', async () => {
    const key = randomUUID();
    const create = (name: string) =>
      client.post('/groups', { name, description: null }, { headers: { 'idempotency-key': key } });

    expect((await client.post('/groups', { name: 'Taken' })).status).toBe(201);
    expectError(await create('Taken'), 409, 'group_name_taken');
    expect((await create('Free now')).status).toBe(201);
  });

  it('removes an erased contact from the stored response', async () => {
    const key = randomUUID();
    const create = () =>
      client.post('/contacts', { phone: '4915113009992', name: 'Zoë' }, { headers: { 'idempotency-key': key } });
    const { id } = (await create()).body as { id: string };
    expect((await client.call('DELETE', `/contacts/${id}?erase=true`)).status).toBe(204);

    await until(
      async () => {
        const again = await create();
        expect([again.status, isReplay(again)]).toEqual([201, true]);
        return again.body.phone === null;
      },
      20_000,
      'The contact is erased from the stored response',
    );
    expect((await create()).body).toMatchObject({ id, phone: null, name: null, parameters: {} });
  });
});
