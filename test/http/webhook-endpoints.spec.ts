import { Webhook } from 'standardwebhooks';
import { uuidV7 } from '../../src/kernel/uuid';
import { EventOutbox } from '../../src/modules/events/domain/event-outbox';
import { EVENT_TYPES, type ReceivedEventDetail } from '../../src/modules/events/domain/event';
import { describeOnDatabase } from '../support/databases';
import { WebhookReceiver } from '../support/webhook-receiver';
import { WebhooksApi } from '../support/webhooks-api';

const FIELDS = { url: 'https://crm.example.com/hook', events: ['job.completed', 'message.sent'] };

describeOnDatabase('The webhook endpoints of an account', (open) => {
  let api: WebhooksApi;
  let strict: WebhooksApi;
  let receiver: WebhookReceiver;
  let accountId: string;
  const http: WebhooksApi['http'] = (...call) => api.http(...call);

  beforeAll(async () => {
    const database = await open();
    api = new WebhooksApi(database);
    await api.start({ allowPrivate: true, role: 'api' });
    strict = new WebhooksApi(database);
    await strict.start({ allowPrivate: false, role: 'api' });
    receiver = await new WebhookReceiver().start();
  });
  beforeEach(async () => {
    accountId = await api.newAccount();
    strict.caller = api.caller;
    receiver.status = 204;
  });
  afterAll(async () => {
    await Promise.all([api?.app.close(), strict?.app.close(), receiver?.close()]);
  });

  const create = async (fields: object = {}): Promise<{ id: string; secret: string }> => {
    const { body } = await http('post', '/webhook-endpoints', { ...FIELDS, url: receiver.url, ...fields }).expect(201);
    return body as { id: string; secret: string };
  };
  const path = (id: string, rest = '') => `/webhook-endpoints/${id}${rest}`;

  it('are created with their secret in the response, once', async () => {
    const created = await strict.http('post', '/webhook-endpoints', FIELDS).expect(201);
    expect(created.headers['cache-control']).toBe('no-store');
    expect(created.body).toEqual({
      id: expect.any(String),
      ...FIELDS,
      ...{ maxEvents: 1, status: 'Enabled', disabledReason: null, failingSince: null },
      ...{ previousSecretValidUntil: null, replay: null },
      createdAt: expect.any(String),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret, ...shown } = created.body as { id: string; secret: string };
    const read = await http('get', path(shown.id)).expect(200);
    expect(read.body).toEqual(shown);
    const list = await http('get', '/webhook-endpoints').expect(200);
    expect(list.body).toEqual({ items: [shown], page: 1, pageSize: 20, totalCount: 1, totalPages: 1 });
    for (const answer of [read, list]) {
      expect(answer.text).not.toContain(secret);
      expect(answer.headers['cache-control']).toBe('private, no-cache');
    }
  });

  it('name events that do not exist', async () => {
    const wrong = { ...FIELDS, events: ['job.complete', 'message.sent', { a: 1 }] };
    const { body } = await strict.http('post', '/webhook-endpoints', wrong).expect(400);
    const [{ message }] = body.errors;
    expect(message).toMatch(/^events must not contain "job\.complete", \{"a":1\}\. The events are .*job\.completed/);
  });

  it.each([
    [{ url: 'http://crm.example.com/' }, 'url', 'not_allowed'],
    [{ url: 'https://crm.example.com:8443/' }, 'url', 'not_allowed'],
    [{ url: 'https://user:secret@crm.example.com/' }, 'url', 'not_allowed'],
    [{ url: 'https://[::7f00:1]/' }, 'url', 'not_allowed'],
    [{ url: 'https://192.168.0.1/' }, 'url', 'not_allowed'],
    [{ url: 'crm' }, 'url', 'not_allowed'],
    [{ url: 7 }, 'url', 'wrong_type'],
    [{ events: [] }, 'events', undefined],
    [{ events: null }, 'events', undefined],
    [{ events: 'message.sent' }, 'events', undefined],
    [{ events: ['message.flown'] }, 'events', 'not_allowed'],
    [{ events: ['job.paused', 'job.paused'] }, 'events', undefined],
    [{ maxEvents: 0 }, 'maxEvents', undefined],
    [{ maxEvents: 101 }, 'maxEvents', undefined],
    [{ secret: 'whsec_MQ==' }, 'secret', 'unknown_field'],
  ])('refuse %j', async (wrong, field, code) => {
    const { id } = (await strict.http('post', '/webhook-endpoints', FIELDS).expect(201)).body as { id: string };
    const answers = [
      await strict.http('post', '/webhook-endpoints', { ...FIELDS, ...wrong }).expect(400),
      await strict.http('patch', path(id), wrong).expect(400),
    ];
    for (const { body } of answers) {
      expect(body).toMatchObject({ code: 'validation_failed', errors: [{ field, ...(code && { code }) }] });
    }
  });

  it('take every event', async () => {
    const { body } = await strict.http('post', '/webhook-endpoints', { ...FIELDS, events: EVENT_TYPES }).expect(201);
    expect(body).toMatchObject({ events: EVENT_TYPES });
  });

  it('are limited by the plan', async () => {
    for (let n = 0; n < 3; n++) await create();
    const { body } = await http('post', '/webhook-endpoints', { ...FIELDS, url: receiver.url }).expect(409);
    expect(body).toMatchObject({ code: 'quota_exceeded', quota: 'maxWebhookEndpoints', limit: 3 });
  });

  it('change, and keep omitted fields', async () => {
    const { id } = await create();
    const changed = await http('patch', path(id), { maxEvents: 50, events: ['job.failed'] }).expect(200);
    expect(changed.body).toMatchObject({ id, url: receiver.url, maxEvents: 50, events: ['job.failed'] });
    const disabled = await http('patch', path(id), { status: 'Disabled' }).expect(200);
    expect(disabled.body).toMatchObject({ status: 'Disabled', disabledReason: 'disabled_by_client', maxEvents: 50 });
    const enabled = await http('patch', path(id), { status: 'Enabled' }).expect(200);
    expect(enabled.body).toMatchObject({ status: 'Enabled', disabledReason: null });
    await http('patch', path(id), { status: 'Paused' }).expect(400);
  });

  it('are unknown once deleted, and to other accounts', async () => {
    const { id } = await create();
    await api.newAccount();
    const calls = (one: string) => [
      http('get', path(one)),
      http('patch', path(one), { maxEvents: 2 }),
      http('post', path(one, '/test')),
      http('post', path(one, '/rotate-secret')),
      http('get', path(one, '/deliveries')),
      http('post', path(one, '/replay'), { since: '2026-01-01' }),
      http('delete', path(one)),
    ];
    for (const one of [id, uuidV7(), 'x']) {
      for (const call of calls(one)) expect((await call.expect(404)).body.code).toBe('webhook_endpoint_not_found');
    }
    api.caller = { ...api.caller, accountId };
    await http('delete', path(id)).expect(204);
    await http('get', path(id)).expect(404);
  });

  it('get a signed test event, and the response contains its result', async () => {
    const { id, secret } = await create();
    const { body: arrived } = await http('post', path(id, '/test')).expect(200);
    const { headers, body } = receiver.received.at(-1)!;
    expect(new Webhook(secret).verify(body, headers)).toEqual({
      type: 'webhook.test',
      timestamp: expect.any(String),
      data: { endpointId: id },
    });
    expect(arrived).toEqual({
      id: expect.any(String),
      webhookId: headers['webhook-id'],
      ...{ events: ['webhook.test'], attempt: 0, status: 'Delivered', httpStatus: 204, error: null },
      ...{ durationMs: expect.any(Number), at: expect.any(String), nextAttemptAt: null, body },
    });
    receiver.status = 500;
    await http('patch', path(id), { status: 'Disabled', maxEvents: 10 }).expect(200);
    const { body: failed } = await http('post', path(id, '/test')).expect(200);
    expect(failed).toMatchObject({ status: 'Failed', httpStatus: 500, error: 'HTTP 500' });
    expect(JSON.parse(receiver.received.at(-1)!.body)).toMatchObject({ events: [{ type: 'webhook.test' }] });
    const { body: log } = await http('get', path(id, '/deliveries?limit=1')).expect(200);
    expect(log.items).toEqual([failed]);
    const { body: rest } = await http('get', path(id, `/deliveries?cursor=${log.nextCursor}`)).expect(200);
    expect(rest).toEqual({ items: [arrived], nextCursor: null });
    await http('get', path(id, '/deliveries?cursor=x')).expect(400);

    const withStatus = async (query: string): Promise<unknown> =>
      (await http('get', path(id, `/deliveries?${query}`)).expect(200)).body;
    expect(await withStatus('status=Failed')).toEqual({ items: [failed], nextCursor: null });
    expect(await withStatus('status=Delivered&limit=1')).toEqual({ items: [arrived], nextCursor: null });
    expect(await withStatus('status=Retrying')).toEqual({ items: [], nextCursor: null });
    await http('get', path(id, '/deliveries?status=failed')).expect(400);
  });

  it('get a new secret, and sign with both for a while on request', async () => {
    const { id, secret } = await create();
    const rotate = async (body?: object) => {
      const answer = await http('post', path(id, '/rotate-secret'), body).expect(201);
      expect(answer.headers['cache-control']).toBe('no-store');
      return (answer.body as { secret: string }).secret;
    };
    const second = await rotate({ overlapSeconds: 60 });
    const { body: shown } = await http('get', path(id)).expect(200);
    expect(Date.parse(shown.previousSecretValidUntil) / 1000).toBeCloseTo(Date.now() / 1000 + 60, -2);
    await http('post', path(id, '/test')).expect(200);
    const both = receiver.received.at(-1)!;
    for (const one of [secret, second]) expect(new Webhook(one).verify(both.body, both.headers)).toBeDefined();
    const third = await rotate();
    await http('post', path(id, '/test')).expect(200);
    const { body, headers } = receiver.received.at(-1)!;
    expect(new Webhook(third).verify(body, headers)).toBeDefined();
    expect(() => new Webhook(second).verify(body, headers)).toThrow();
    for (const overlapSeconds of [-1, 604_801, '60']) {
      await http('post', path(id, '/rotate-secret'), { overlapSeconds }).expect(400);
    }
  });

  it('get earlier events again', async () => {
    const { id } = await create();
    const since = new Date().toISOString();
    const { body: logged } = await http('post', path(id, '/test')).expect(200);
    const once = `/webhook-endpoints/deliveries/${logged.id}/replay`;
    for (let n = 0; n < 2; n++) expect((await http('post', once).expect(202)).body).toEqual(logged);
    const waiting = await api.database.rows('SELECT payload FROM webhook_outbox WHERE endpoint_id = $1', [id]);
    expect(waiting).toEqual([{ payload: logged.body }]);
    // A test is no event that was missed.
    const { body: replay } = await http('post', path(id, '/replay'), { since }).expect(202);
    expect(replay).toEqual({ since, startedAt: expect.any(String), replayed: 0 });
    expect((await http('get', path(id)).expect(200)).body.replay).toEqual(replay);
    const { body: refused } = await http('post', path(id, '/replay'), { since: '0001-01-01' }).expect(409);
    expect(refused.code).toBe('replay_in_progress');
    await http('post', path(id, '/replay'), { since: 'yesterday' }).expect(400);
    await http('post', path(id, '/replay'), {}).expect(400);

    await api.database.execute('DELETE FROM webhook_bodies WHERE id = $1', [logged.id]);
    expect((await http('post', once).expect(409)).body.code).toBe('webhook_body_expired');
    await api.newAccount();
    expect((await http('post', once).expect(404)).body.code).toBe('webhook_delivery_not_found');
  });

  it('are recorded in the audit log with author, without secrets', async () => {
    const { id } = await create();
    await http('patch', path(id), { maxEvents: 2 }).expect(200);
    // Without a change there is no entry.
    await http('patch', path(id), {}).expect(200);
    await http('post', path(id, '/rotate-secret')).expect(201);
    await http('delete', path(id)).expect(204);
    const entries = await api.database.rows<object>(
      `SELECT action, key_prefix AS key, target_id AS id, fields FROM audit_log WHERE account_id = $1 ORDER BY created_at, id`,
      [accountId],
    );
    const [key, fields] = ['1a2b3c4d', ['url', 'events', 'maxEvents']];
    expect(entries).toEqual([
      { action: 'webhook.created', key, id, fields },
      { action: 'webhook.changed', key, id, fields: ['maxEvents'] },
      { action: 'webhook.secret_rotated', key, id, fields: ['secret'] },
      { action: 'webhook.deleted', key, id, fields: [] },
    ]);
  });

  it('receive events of the account only', async () => {
    const { id } = await create({ events: ['message.received'] });
    const event = { type: 'message.received', at: new Date(), data: {} as ReceivedEventDetail } as const;
    await api.app.get(EventOutbox).write([
      { ...event, accountId },
      { ...event, accountId: uuidV7() },
    ]);
    const rows = await api.database.rows('SELECT bodies FROM webhook_outbox WHERE endpoint_id = $1', [id]);
    expect(rows).toEqual([{ bodies: 1 }]);
  });
});
