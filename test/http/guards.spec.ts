import { AccountsApi } from '../support/accounts-api';
import { generateApiKey } from '../../src/modules/accounts/domain/api-key';

describe('The guards', () => {
  let one: AccountsApi;
  let accountId: string;
  let operator: string;
  const http: AccountsApi['http'] = (...call) => one.http(...call);

  beforeEach(async () => {
    one = await new AccountsApi().start();
    ({ accountId, operator } = one);
  });
  afterEach(() => one.app.close());

  describe('the key', () => {
    const UNAUTHORIZED = {
      error: 'Unauthorized',
      statusCode: 401,
      code: 'unauthorized',
      message: expect.stringContaining('X-API-Key'),
    };

    it('is required by every route except the public ones, and checked before the body', async () => {
      expect((await http('get', '/me').expect(401)).body).toMatchObject(UNAUTHORIZED);
      await http('post', '/api-keys').set('Content-Type', 'application/json').send('{"broken').expect(401);
      await http('post', '/api-keys').set('Content-Type', 'text/plain').send('x').expect(401);
      await http('patch', '/api-keys/not-an-id').expect(401);
      await http('get', '/probe/open').expect(200);
    });

    it('is ignored in the query and in the body', async () => {
      await http('get', `/me?X-API-Key=${operator}&api_key=${operator}&apiKey=${operator}`).expect(401);
      await http('post', '/probe/send').send({ apiKey: operator, 'X-API-Key': operator }).expect(401);
      const { body } = await http('get', '/me').set('Authorization', `Bearer ${operator}`).expect(401);
      expect(body.message).toContain('Authorization header, which is not read. Send the key in the X-API-Key header.');
      await http('get', '/me').set('Cookie', `x-api-key=${operator}`).expect(401);
    });

    it.each([
      ['a text', 'wrong'],
      ['empty', ''],
      ['cut off', 'mta_00000000_'],
      ['very long', 'x'.repeat(5_000)],
      ['made up', generateApiKey()],
      ['a blank', ' '],
      ['written by an attacker', "' OR 1=1 --"],
    ])('is rejected if it is %s', async (_, key) => {
      expect((await http('get', '/me', key).expect(401)).body).toMatchObject(UNAUTHORIZED);
    });

    it('is rejected if only its prefix is right', async () => {
      await http('get', '/me', operator.slice(0, 13) + generateApiKey().slice(13)).expect(401);
    });

    it('is rejected in capitals, with a suffix, and twice', async () => {
      for (const key of [operator.toUpperCase(), `${operator}0`, `${operator}, ${operator}`]) {
        await http('get', '/me', key).expect(401);
      }
    });

    it('works until it expires', async () => {
      const key = await one.newKey(accountId, ['jobs:read'], {
        expiresAt: new Date(one.clock.now().getTime() + 1_000),
      });
      await http('get', '/me', key).expect(200);
      one.clock.advance(1_000);
      expect((await http('get', '/me', key).expect(401)).body).toMatchObject(UNAUTHORIZED);
    });

    it('works only from its allowed addresses', async () => {
      await http(
        'get',
        '/me',
        await one.newKey(accountId, ['jobs:read'], { allowedIps: ['203.0.113.0/24', '127.0.0.0/8', '::1'] }),
      ).expect(200);
      await http('get', '/me', await one.newKey(accountId, ['jobs:read'], { allowedIps: ['203.0.113.0/24'] })).expect(
        401,
      );
    });

    it('identifies the client behind trusted proxies: the last hop that is not one of them', async () => {
      const key = await one.newKey(accountId, ['jobs:read'], { allowedIps: ['203.0.113.0/24'] });
      const behind = await new AccountsApi().start({ trustedProxies: ['127.0.0.1', '10.0.0.0/8'] });
      const ownKey = await behind.newKey(behind.accountId, ['jobs:read'], { allowedIps: ['203.0.113.0/24'] });
      const from = (api: AccountsApi, secret: string, hops: string) =>
        api.http('get', '/me', secret).set('X-Forwarded-For', hops);
      try {
        await from(behind, ownKey, '203.0.113.9').expect(200);
        await from(behind, ownKey, '198.51.100.1, 203.0.113.9, 10.1.2.3').expect(200);
        // The client's own claims precede the hop that a trusted proxy added.
        await from(behind, ownKey, '203.0.113.9, 198.51.100.1').expect(401);
        await from(behind, ownKey, 'nonsense').expect(401);
        await from(one, key, '203.0.113.9').expect(401);
      } finally {
        await behind.app.close();
      }
    });

    it('is accepted for at most 2 s after another process revoked it', async () => {
      const key = await one.newKey(accountId, ['jobs:read']);
      await http('get', '/me', key).expect(200);
      await one.keys.revoke(await one.idOf(key), one.clock.now());
      one.clock.advance(2_000);
      await http('get', '/me', key).expect(401);
    });

    it('is checked again during a long response, which continues while the key has the same scopes', async () => {
      const key = await one.newKey(accountId, ['jobs:read', 'groups:read']);
      const id = await one.idOf(key);
      const isAllowed = () => {
        one.clock.advance(2_000);
        return one.isHeldAllowed();
      };
      await http('get', '/probe/held', key).expect(200);
      expect(await isAllowed()).toBe(true);
      await one.keys.change(id, { scopes: ['jobs:read'] });
      expect(await isAllowed()).toBe(false);
      await http('get', '/probe/held', key).expect(200);
      await one.keys.change(id, { scopes: ['jobs:read', 'groups:read'] });
      expect(await isAllowed()).toBe(true);
      await one.accounts.change(accountId, { status: 'Suspended' });
      expect(await isAllowed()).toBe(false);
      await one.accounts.change(accountId, { status: 'Active' });
      await one.keys.revoke(id, one.clock.now());
      expect(await isAllowed()).toBe(false);
    });

    it('is looked up once in 2 s for any number of requests', async () => {
      one.keys.reads = 0;
      await Promise.all(Array.from({ length: 20 }, () => http('get', '/me', operator).expect(200)));
      expect(one.keys.reads).toBe(1);
    });

    it('has its last use recorded', async () => {
      await http('get', '/me', operator).expect(200);
      expect((await one.keys.byId(accountId, await one.idOf(operator)))?.lastUsedAt).toEqual(one.clock.now());
    });

    it('that fails 300 times from one address makes the next failure a 429, without affecting known keys', async () => {
      await http('get', '/me', operator).expect(200);
      for (let n = 0; n < 300; n++) await http('get', '/me', 'wrong').expect(401);
      const refused = await http('get', '/me', 'wrong').expect(429);
      expect(refused.body).toMatchObject({
        error: 'Too Many Requests',
        statusCode: 429,
        code: 'rate_limited',
        retryAfter: 1,
      });
      expect(refused.headers['retry-after']).toBe('1');
      await http('get', '/me').expect(401);
      one.clock.advance(3_000);
      await http('get', '/me', operator).expect(200);
      await http('get', '/me', 'wrong').expect(401);
    });
  });

  describe('the scope', () => {
    it('that is missing is named', async () => {
      const answer = await http(
        'post',
        '/probe/send',
        await one.newKey(accountId, ['jobs:read', 'keys:manage']),
      ).expect(403);
      expect(answer.body).toEqual({
        error: 'Forbidden',
        message: expect.stringContaining('messaging:send'),
        statusCode: 403,
        code: 'missing_scope',
        requiredScope: 'messaging:send',
        requestId: expect.any(String),
      });
    });

    it('is checked before body, content type and page', async () => {
      const key = await one.newKey(accountId, ['groups:read']);
      await http('post', '/probe/send', key).set('Content-Type', 'application/json').send('{broken').expect(403);
      await http('post', '/probe/send', key).set('Content-Type', 'text/plain').send('x').expect(403);
      await http('get', '/api-keys?page=0', key).expect(403);
    });

    it('may be included in a larger one', async () => {
      await http('get', '/probe/jobs', await one.newKey(accountId, ['messaging:send'])).expect(200);
      await http('get', '/probe/jobs', await one.newKey(accountId, ['jobs:manage'])).expect(200);
    });

    it('can be one of several if the route allows it', async () => {
      for (const scope of ['messaging:send', 'groups:manage'] as const) {
        await http('post', '/probe/either', await one.newKey(accountId, [scope])).expect(201);
      }
      const answer = await http('post', '/probe/either', await one.newKey(accountId, ['jobs:manage'])).expect(403);
      expect(answer.body.requiredScope).toBe('messaging:send');
    });

    it('is not required by GET /me', async () => {
      const key = await one.newKey(accountId, ['groups:read']);
      expect((await http('get', '/me', key).expect(200)).body).toEqual({
        account: { id: accountId, name: 'A', status: 'Active', sendingPaused: false, defaultCountry: null },
        plan: 'Enterprise',
        limits: {
          ...{ requestsPerSecond: 500, burst: 1_000, maxRowsPerFile: 1_000_000, maxApiKeys: 100, maxGroups: 1_000 },
          ...{ maxContacts: 1_000_000, maxWebhookEndpoints: 20, maxOpenJobs: 1_000 },
          ...{ maxWaitingEvents: 1_000_000, replayedPerSecond: 100 },
        },
        scopes: ['groups:read'],
        keyPrefix: key.slice(4, 12),
      });
    });

    it('is rejected for a suspended account', async () => {
      await one.accounts.change(accountId, { status: 'Suspended' });
      for (const path of ['/me', '/probe/jobs']) {
        expect((await http('get', path, operator).expect(403)).body.code).toBe('account_suspended');
      }
    });
  });

  describe('the rate of the plan', () => {
    it('is in every response to a known key, and in no other', async () => {
      const answers = [
        await http('get', '/me', operator),
        await http('get', '/api-keys?page=0', operator),
        await http('delete', '/api-keys/none', operator),
        await http('post', '/probe/send', await one.newKey(accountId, ['groups:read'])),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 403]);
      expect(answers.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['999', '998', '997', '996']);
      for (const { headers } of answers) {
        expect(headers['ratelimit-limit']).toBe('1000');
        expect(headers['ratelimit-reset']).toMatch(/^\d+$/);
      }
      for (const answer of [
        await http('get', '/me'),
        await http('get', '/me', 'wrong'),
        await http('get', '/probe/open'),
      ]) {
        expect(answer.headers).not.toHaveProperty('ratelimit-limit');
      }
      expect((await http('get', '/me', operator)).headers['ratelimit-remaining']).toBe('995');
    });

    it('is shared by the keys of an account and checked before the scope', async () => {
      const free = await one.newAccount('Free');
      const first = await one.newKey(free, ['jobs:read']);
      const second = await one.newKey(free, ['groups:read']);
      for (let n = 0; n < 10; n++) await http('get', '/me', n % 2 === 0 ? first : second).expect(200);
      const refused = await http('post', '/probe/send', second).expect(429);
      expect(refused.body).toEqual({
        error: 'Too Many Requests',
        message: expect.stringMatching(/plan.*again in 1 s/),
        statusCode: 429,
        code: 'rate_limited',
        retryAfter: 1,
        requestId: expect.any(String),
      });
      expect(refused.headers).toMatchObject({
        'retry-after': '1',
        'ratelimit-limit': '10',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '2',
      });
      await http('post', '/probe/send', first).set('Content-Type', 'application/json').send('{broken').expect(429);
      await http('post', '/probe/send', first).set('Content-Type', 'text/plain').send('x').expect(429);
      await http('get', '/api-keys?page=0', first).expect(429);
      await http('get', '/me', `${first}x`).expect(401);
      await http('get', '/me', operator).expect(200);
      one.clock.advance(200);
      await http('get', '/me', first).expect(200);
      await http('get', '/me', second).expect(429);
      await http('patch', `/accounts/${free}`, operator).send({ plan: 'Enterprise' }).expect(200);
      one.clock.advance(10);
      const { body, headers } = await http('get', '/me', second).expect(200);
      expect(body).toMatchObject({ plan: 'Enterprise', limits: { requestsPerSecond: 500, burst: 1_000 } });
      expect(headers['ratelimit-limit']).toBe('1000');
    });
  });
});
