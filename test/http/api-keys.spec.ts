import { uuidV7 } from '../../src/kernel/uuid';
import { AccountsApi, type ErrorEntry } from '../support/accounts-api';

describe('The API keys of an account', () => {
  let one: AccountsApi;
  let accountId: string;
  let operator: string;
  const http: AccountsApi['http'] = (...call) => one.http(...call);

  beforeEach(async () => {
    one = await new AccountsApi().start();
    ({ accountId, operator } = one);
  });
  afterEach(() => one.app.close());

  describe('API keys', () => {
    const NEW = { name: 'CRM', scopes: ['messaging:send'] };

    it('are created with their secret in the response, once', async () => {
      const { body } = await http('post', '/api-keys', operator)
        .send({ ...NEW, allowedIps: ['127.0.0.1'], expiresAt: '2099-01-01T00:00:00Z' })
        .expect(201);
      expect(body).toEqual({
        id: expect.any(String),
        ...NEW,
        allowedIps: ['127.0.0.1'],
        expiresAt: '2099-01-01T00:00:00.000Z',
        prefix: (body.key as string).slice(4, 12),
        lastUsedAt: null,
        previousKeyValidUntil: null,
        createdAt: expect.any(String),
        key: expect.stringMatching(/^mta_[0-9a-f]{8}_[\w-]{43}$/),
      });
      await http('post', '/probe/send', body.key).expect(201);
      const list = await http('get', '/api-keys', operator).expect(200);
      expect(list.body).toMatchObject({ page: 1, pageSize: 20, totalCount: 2, totalPages: 1 });
      expect(list.text).not.toContain(body.key);
      expect(list.body.items[0]).toMatchObject({ id: body.id, name: 'CRM' });
    });

    it('are returned in responses that must not be cached', async () => {
      const created = await http('post', '/api-keys', operator).send(NEW).expect(201);
      const rotated = await http('post', `/api-keys/${created.body.id}/rotate`, operator).expect(201);
      const ofAccount = await http('post', `/accounts/${accountId}/api-keys`, operator).send(NEW).expect(201);
      for (const { headers } of [created, rotated, ofAccount]) expect(headers['cache-control']).toBe('no-store');
      const others = [
        await http('get', '/api-keys', operator),
        await http('get', '/me'),
        await http('get', '/probe/open'),
      ];
      for (const { headers } of others) expect(headers['cache-control']).toBe('private, no-cache');
    });

    it('return all errors of a body', async () => {
      const bad = {
        scopes: ['messaging:fly'],
        expiresAt: '2020-01-01T00:00:00Z',
        allowedIps: ['300.1.1.1'],
        colour: 1,
      };
      const { body } = await http('post', '/api-keys', operator).send(bad).expect(400);
      expect((body.errors as ErrorEntry[]).map((error) => [error.field, error.code])).toEqual([
        ['name', 'required'],
        ['scopes', 'not_allowed'],
        ['expiresAt', 'invalid'],
        ['allowedIps', 'invalid'],
        ['colour', 'unknown_field'],
      ]);
      expect(body.errors[1].message).toMatch(
        /^scopes must not contain "messaging:fly"\. The scopes are .*messaging:send/,
      );
    });

    it.each([
      [{ name: '  ' }, { name: 'invalid_format' }],
      [{ scopes: [] }, { scopes: 'too_few' }],
      [{ scopes: ['jobs:read', 'jobs:read'] }, { scopes: 'not_unique' }],
      [{ scopes: 'jobs:read' }, { scopes: 'wrong_type' }],
      [{ expiresAt: 'tomorrow' }, { expiresAt: 'invalid' }],
      [{ allowedIps: ['10.0.0.0/33'] }, { allowedIps: 'invalid' }],
      [{ key: 'mine' }, { key: 'unknown_field' }],
    ])('are not created with %j', async (fields, errors) => {
      const { body } = await http('post', '/api-keys', operator)
        .send({ ...NEW, ...fields })
        .expect(400);
      expect(Object.fromEntries((body.errors as ErrorEntry[]).map(({ field, code }) => [field, code]))).toEqual(errors);
    });

    it.each([
      { name: null },
      { name: ' ' },
      { scopes: null },
      { scopes: [] },
      { scopes: 'jobs:read' },
      { allowedIps: null },
      { allowedIps: [7] },
      { expiresAt: 'tomorrow' },
      { expiresAt: 5 },
    ])('reject the change %j', async (change) => {
      const { body } = await http('post', '/api-keys', operator).send(NEW);
      expect((await http('patch', `/api-keys/${body.id}`, operator).send(change).expect(400)).body.code).toBe(
        'validation_failed',
      );
    });

    it('grant no more than their creator has', async () => {
      const limited = await one.newKey(accountId, ['keys:manage', 'messaging:send']);
      const refused = await http('post', '/api-keys', limited)
        .send({ name: 'K', scopes: ['jobs:read', 'accounts:manage'] })
        .expect(403);
      expect(refused.body).toMatchObject({
        code: 'beyond_own_key',
        message: expect.stringContaining('accounts:manage'),
      });
      await http('post', '/api-keys', limited)
        .send({ name: 'K', scopes: ['jobs:read', 'templates:read'] })
        .expect(201);
      const id = await one.idOf(operator);
      await http('patch', `/api-keys/${id}`, limited).send({ name: 'X' }).expect(403);
      await http('post', `/api-keys/${id}/rotate`, limited).expect(403);
    });

    it('expire no later than their creator, and allow no further addresses', async () => {
      const soon = new Date(one.clock.now().getTime() + 3_600_000);
      const later = new Date(soon.getTime() + 1).toISOString();
      const limits = { expiresAt: soon, allowedIps: ['127.0.0.0/8', '::1'] };
      const limited = await one.newKey(accountId, ['keys:manage', 'messaging:send'], limits);
      const within = { ...NEW, expiresAt: soon.toISOString(), allowedIps: ['127.0.0.1'] };
      const { body: made } = await http('post', '/api-keys', limited).send(within).expect(201);
      const loose = [
        { expiresAt: null },
        { expiresAt: later },
        { allowedIps: [] },
        { allowedIps: ['127.0.0.1', '203.0.113.7'] },
        { allowedIps: ['0.0.0.0/0'] },
      ];
      for (const more of loose) {
        const created = await http('post', '/api-keys', limited).send({ ...within, ...more });
        const changed = await http('patch', `/api-keys/${made.id}`, limited).send(more);
        expect([created, changed].map(({ status, body }) => [status, (body as ErrorEntry).code])).toEqual([
          [403, 'beyond_own_key'],
          [403, 'beyond_own_key'],
        ]);
      }
      await http('patch', `/api-keys/${made.id}`, limited)
        .send({ allowedIps: ['::1'] })
        .expect(200);
      // A new secret would belong to a key with more rights.
      const { body: wide } = await http('post', '/api-keys', operator).send(NEW).expect(201);
      expect((await http('post', `/api-keys/${wide.id}/rotate`, limited).expect(403)).body.code).toBe('beyond_own_key');
      await http('post', `/api-keys/${await one.idOf(limited)}/rotate`, limited).expect(201);
    });

    it('cannot be extended through the account routes', async () => {
      const expiresAt = new Date(one.clock.now().getTime() + 3_600_000);
      const limited = await one.newKey(accountId, ['accounts:manage'], { expiresAt });
      const other = await one.newAccount('Free');
      const make = (account: string, scopes: string[]) =>
        http('post', `/accounts/${account}/api-keys`, limited).send({ name: 'K', scopes });
      expect((await make(accountId, ['accounts:manage']).expect(403)).body.code).toBe('beyond_own_key');
      expect((await make(other, ['accounts:manage']).expect(403)).body.code).toBe('beyond_own_key');
      await make(other, ['messaging:send', 'keys:manage']).expect(201);
    });

    it("cannot exceed the operator in the operator's account, nor be an operator elsewhere", async () => {
      const pureOperator = await one.newKey(accountId, ['accounts:manage', 'jobs:manage']);
      const other = await one.newAccount('Free');
      const make = (account: string, scopes: string[], maker = pureOperator) =>
        http('post', `/accounts/${account}/api-keys`, maker).send({ name: 'K', scopes });
      expect((await make(accountId, ['messaging:send']).expect(403)).body).toMatchObject({
        code: 'beyond_own_key',
        message: expect.stringContaining('messaging:send'),
      });
      await make(accountId, ['accounts:manage', 'jobs:read']).expect(201);
      const elsewhere = await make(other, ['jobs:read', 'accounts:manage'], operator).expect(403);
      expect(elsewhere.body).toMatchObject({
        code: 'beyond_own_key',
        message: expect.stringContaining('accounts:manage is reserved for your own account'),
      });
    });

    it('change immediately, and keep omitted fields', async () => {
      const { body } = await http('post', '/api-keys', operator).send({ ...NEW, expiresAt: '2099-01-01T00:00:00Z' });
      await http('post', '/probe/send', body.key).expect(201);
      const changed = await http('patch', `/api-keys/${body.id}`, operator)
        .send({ scopes: ['groups:read'], expiresAt: null })
        .expect(200);
      expect(changed.body).toMatchObject({ id: body.id, name: 'CRM', scopes: ['groups:read'], expiresAt: null });
      expect(changed.body).not.toHaveProperty('key');
      await http('post', '/probe/send', body.key).expect(403);
    });

    it('stop working immediately when revoked, and are then unknown', async () => {
      const { body } = await http('post', '/api-keys', operator).send(NEW);
      await http('post', '/probe/send', body.key).expect(201);
      await http('delete', `/api-keys/${body.id}`, operator).expect(204);
      await http('post', '/probe/send', body.key).expect(401);
      expect((await http('delete', `/api-keys/${body.id}`, operator).expect(404)).body.code).toBe('api_key_not_found');
      for (const id of [body.id, uuidV7(), 'nonsense']) {
        await http('patch', `/api-keys/${id}`, operator).send({}).expect(404);
        await http('delete', `/api-keys/${id}`, operator).expect(404);
        expect((await http('post', `/api-keys/${id}/rotate`, operator).expect(404)).body.code).toBe(
          'api_key_not_found',
        );
      }
    });

    it('are listed in pages, newest first, with their last use', async () => {
      const { body: older } = await http('post', '/api-keys', operator).send(NEW);
      one.clock.advance(1000);
      const { body: newer } = await http('post', '/api-keys', operator).send(NEW);
      await http('post', '/probe/send', newer.key).expect(201);
      const list = await http('get', '/api-keys?pageSize=2', operator).expect(200);
      expect(list.body).toMatchObject({
        ...{ page: 1, pageSize: 2, totalCount: 3 },
        items: [
          { id: newer.id, lastUsedAt: one.clock.now().toISOString() },
          { id: older.id, lastUsedAt: null },
        ],
      });
      const { body } = await http('get', '/api-keys?pageSize=0', operator).expect(400);
      expect(body.errors).toMatchObject([{ field: 'pageSize', code: 'out_of_range' }]);
    });

    it('get a new secret, and the old one stops working immediately', async () => {
      const { body } = await http('post', '/api-keys', operator).send(NEW);
      await http('post', '/probe/send', body.key).expect(201);
      const rotated = await http('post', `/api-keys/${body.id}/rotate`, operator).expect(201);
      expect(rotated.body).toMatchObject({ id: body.id, name: 'CRM' });
      await http('post', '/probe/send', body.key).expect(401);
      await http('post', '/probe/send', rotated.body.key).expect(201);
    });

    it('keep the old secret for a while on request', async () => {
      const { body } = await http('post', '/api-keys', operator).send(NEW);
      const rotate = (overlapSeconds: unknown) =>
        http('post', `/api-keys/${body.id}/rotate`, operator).send({ overlapSeconds });
      const shown = async (): Promise<unknown> => (await http('get', '/api-keys', operator).expect(200)).body.items[0];
      const { body: second } = await rotate(60).expect(201);
      const until = new Date(one.clock.now().getTime() + 60_000).toISOString();
      expect(second.previousKeyValidUntil).toBe(until);
      expect(await shown()).toMatchObject({ id: body.id, previousKeyValidUntil: until });
      await http('post', '/probe/send', body.key).expect(201);
      await http('post', '/probe/send', second.key).expect(201);
      one.clock.advance(60_000);
      await http('post', '/probe/send', body.key).expect(401);
      await http('post', '/probe/send', second.key).expect(201);
      expect(await shown()).toMatchObject({ id: body.id, previousKeyValidUntil: null });
      // Of several old secrets only the last is valid, and a revoked key has none.
      const { body: third } = await rotate(604_800).expect(201);
      const { body: fourth } = await rotate(600).expect(201);
      await http('post', '/probe/send', second.key).expect(401);
      await http('post', '/probe/send', third.key).expect(201);
      const { body: log } = await http('get', '/audit-log?limit=1', operator).expect(200);
      expect(log.items[0]).toMatchObject({ action: 'key.rotated', fields: ['key', 'previousKeyValidUntil'] });
      await http('delete', `/api-keys/${body.id}`, operator).expect(204);
      for (const { key } of [third, fourth]) await http('post', '/probe/send', key).expect(401);
    });

    it.each([-1, 604_801, 1.5, '60', null])('reject the overlap %j', async (overlapSeconds) => {
      const answer = await http('post', `/api-keys/${await one.idOf(operator)}/rotate`, operator).send({
        overlapSeconds,
      });
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    });

    it('are limited by the plan', async () => {
      const free = await one.newAccount('Free');
      const own = await one.newKey(free, ['keys:manage', 'messaging:send']);
      await http('post', '/api-keys', own).send(NEW).expect(201);
      const { body } = await http('post', '/api-keys', own).send(NEW).expect(201);
      expect((await http('post', '/api-keys', own).send(NEW).expect(409)).body).toMatchObject({
        code: 'quota_exceeded',
        limit: 3,
      });
      expect((await http('post', `/accounts/${free}/api-keys`, operator).send(NEW).expect(409)).body.code).toBe(
        'quota_exceeded',
      );
      await http('delete', `/api-keys/${body.id}`, own).expect(204);
      await http('post', '/api-keys', own).send(NEW).expect(201);
    });

    it('of any account are listed and revoked by the operator', async () => {
      const other = await one.newAccount('Free');
      const { body } = await http('post', `/accounts/${other}/api-keys`, operator).send(NEW).expect(201);
      const list = await http('get', `/accounts/${other}/api-keys`, operator).expect(200);
      expect(list.body).toMatchObject({ totalCount: 1, items: [{ id: body.id, prefix: body.prefix }] });
      expect(list.text).not.toContain(body.key);
      await http('post', '/probe/send', body.key).expect(201);
      await http('delete', `/accounts/${accountId}/api-keys/${body.id}`, operator).expect(404);
      await http('delete', `/accounts/${other}/api-keys/${body.id}`, operator).expect(204);
      await http('post', '/probe/send', body.key).expect(401);
      await http('delete', `/accounts/${other}/api-keys/${body.id}`, operator).expect(404);
      expect((await http('get', `/accounts/${uuidV7()}/api-keys`, operator).expect(404)).body.code).toBe(
        'account_not_found',
      );
      const own = await one.idOf(operator);
      expect((await http('delete', `/accounts/${accountId}/api-keys/${own}`, operator).expect(409)).body.code).toBe(
        'key_in_use',
      );
      const otherAccount = await one.newKey(other, ['keys:manage']);
      await http('get', `/accounts/${other}/api-keys`, otherAccount).expect(403);
      await http('delete', `/accounts/${accountId}/api-keys/${own}`, otherAccount).expect(403);
    });

    it('cannot lock themselves out, but can rename and rotate themselves', async () => {
      const id = await one.idOf(operator);
      expect((await http('delete', `/api-keys/${id}`, operator).expect(409)).body.code).toBe('key_in_use');
      for (const change of [
        { scopes: ['jobs:read'] },
        { expiresAt: '2099-01-01T00:00:00Z' },
        { allowedIps: ['10.0.0.1'] },
      ]) {
        expect((await http('patch', `/api-keys/${id}`, operator).send(change).expect(409)).body.code).toBe(
          'key_in_use',
        );
      }
      const ending = await one.newKey(accountId, ['keys:manage', 'jobs:read']);
      const beyond = await http('patch', `/api-keys/${await one.idOf(ending)}`, ending).send({
        scopes: ['jobs:manage'],
      });
      expect([beyond.status, beyond.body.code]).toEqual([403, 'beyond_own_key']);
      await http('patch', `/api-keys/${id}`, operator).send({ name: 'Mine' }).expect(200);
      await http('post', `/api-keys/${id}/rotate`, operator).expect(201);
    });

    it('are recorded in the audit log with author and address, without secrets', async () => {
      const other = await one.newAccount('Free');
      const { body } = await http('post', `/accounts/${other}/api-keys`, operator).send(NEW).expect(201);
      const theirs = await one.newKey(other, ['keys:manage', 'messaging:send']);
      await http('patch', `/api-keys/${body.id}`, theirs)
        .send({ allowedIps: ['203.0.113.7'] })
        .expect(200);
      await http('patch', `/api-keys/${body.id}`, theirs).send({}).expect(200);
      await http('post', `/api-keys/${body.id}/rotate`, theirs).expect(201);
      await http('delete', `/api-keys/${body.id}`, theirs).expect(204);
      await http('patch', `/accounts/${other}`, operator).send({ sendingPaused: true }).expect(200);
      // Without a change there is no entry.
      await http('patch', `/accounts/${other}`, operator).send({}).expect(200);
      const { body: own } = await http('post', '/api-keys', operator).send(NEW).expect(201);

      const seen = await http('get', '/audit-log', theirs).expect(200);
      const [changed, ...keys] = seen.body.items as Record<string, unknown>[];
      expect(changed).toEqual({
        id: expect.any(String),
        createdAt: expect.any(String),
        accountId: other,
        actorAccountId: accountId,
        keyPrefix: operator.slice(4, 12),
        // The store in memory knows no keys.
        keyName: null,
        address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
        action: 'account.changed',
        targetId: other,
        fields: ['sendingPaused'],
      });
      expect(keys.map(({ action, targetId, keyPrefix, fields }) => [action, targetId, keyPrefix, fields])).toEqual([
        ['key.revoked', body.id, theirs.slice(4, 12), []],
        ['key.rotated', body.id, theirs.slice(4, 12), ['key']],
        ['key.changed', body.id, theirs.slice(4, 12), ['allowedIps']],
        ['key.created', body.id, operator.slice(4, 12), ['name', 'scopes', 'expiresAt', 'allowedIps']],
      ]);
      expect(seen.text).not.toContain(body.key);
      expect((await http('get', `/audit-log?accountId=${accountId}`, theirs).expect(200)).body.items).toEqual([]);

      const all = await http('get', '/audit-log?limit=2', operator).expect(200);
      expect(all.body.items[0]).toMatchObject({ action: 'key.created', targetId: own.id, accountId });
      const { createdAt } = changed as { createdAt: string };
      const before = await http('get', `/audit-log?accountId=${other}&createdBefore=${createdAt}`, operator).expect(
        200,
      );
      expect(before.body.items).toEqual([]);
      const since = await http('get', `/audit-log?accountId=${other}&createdAfter=${createdAt}`, operator).expect(200);
      expect(since.body.items).toEqual(seen.body.items);
      await http('get', '/audit-log?createdAfter=yesterday', operator).expect(400);
      const next = await http('get', `/audit-log?limit=2&cursor=${all.body.nextCursor}`, operator).expect(200);
      expect(next.body.items[0]).toMatchObject({ action: 'key.revoked' });
      const ofOther = await http('get', `/audit-log?accountId=${other}`, operator).expect(200);
      expect(ofOther.body.items).toEqual(seen.body.items);
      await http('get', '/audit-log', await one.newKey(other, ['messaging:send'])).expect(403);
    });

    it('of another account do not exist', async () => {
      const otherAccount = await one.newKey(await one.newAccount('Free'), ['keys:manage', 'messaging:send']);
      const { body } = await http('post', '/api-keys', operator).send(NEW);
      await http('patch', `/api-keys/${body.id}`, otherAccount).send({ name: 'X' }).expect(404);
      await http('post', `/api-keys/${body.id}/rotate`, otherAccount).expect(404);
      await http('delete', `/api-keys/${body.id}`, otherAccount).expect(404);
    });
  });
});
