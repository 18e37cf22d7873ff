import { pino } from 'pino';
import { generateSessionToken } from '../../src/modules/accounts/domain/console-session';
import { AccountsApi } from '../support/accounts-api';
import { ConsoleBrowser } from '../support/console-browser';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('A session of the console', () => {
  let one: AccountsApi;
  let browser: ConsoleBrowser;
  const lines: string[] = [];

  beforeEach(async () => {
    lines.length = 0;
    const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    one = await new AccountsApi().start({ logger });
    browser = new ConsoleBrowser(one);
  });
  afterEach(() => one.app.close());

  const tokenOf = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);

  describe('begins', () => {
    it('with a key, and returns who is signed in', async () => {
      const key = await one.newKey(one.accountId, ['jobs:read'], { expiresAt: new Date('2099-01-01T00:00:00Z') });
      const { body } = await browser.signIn(key).expect(200);
      expect(body).toEqual({
        account: { id: one.accountId, name: 'A', plan: 'Enterprise', status: 'Active', sendingPaused: false },
        key: {
          id: await one.idOf(key),
          name: 'K',
          prefix: key.slice(4, 12),
          scopes: ['jobs:read'],
          expiresAt: '2099-01-01T00:00:00.000Z',
        },
        serverTime: one.clock.now().toISOString(),
      });
      await browser.enter(key);
      expect((await browser.ask('get', '/console/session').expect(200)).body).toEqual(body);
      expect((await browser.http('get', '/me').expect(200)).body).toMatchObject({ scopes: ['jobs:read'] });
    });

    it('with a cookie unusable by scripts and other sites', async () => {
      expect(await browser.enter(one.operator)).toBe('; Path=/; HttpOnly; SameSite=Strict');
      expect(browser.cookie).toMatch(/^console=mtc_[\w-]{43}$/);
      const encrypted = new ConsoleBrowser(one, 'https://console.example');
      expect(await encrypted.enter(one.operator)).toBe('; Path=/; HttpOnly; Secure; SameSite=Strict');
      expect(encrypted.cookie).toMatch(/^__Host-console=mtc_[\w-]{43}$/);
      await encrypted.http('get', '/me').expect(200);
    });

    it('and stores neither key nor token in readable form', async () => {
      const answer = await browser.signIn(one.operator).expect(200);
      await browser.enter(one.operator);
      await browser.http('get', '/me').expect(200);
      await browser.http('get', `/probe/nothing?token=${tokenOf(browser.cookie!)}`);
      const stored = JSON.stringify(one.sessions.rows);
      for (const secret of [one.operator, tokenOf(browser.cookie!)]) {
        expect(lines.join('')).not.toContain(secret);
        expect(answer.text).not.toContain(secret);
        expect(stored).not.toContain(secret);
      }
      expect(lines.join('')).toContain('/console/session');
    });

    it.each(['wrong', 'mta_00000000_', 'x'.repeat(1_000)])('not with the key %p', async (key) => {
      const { body, headers } = await browser.signIn(key).expect(401);
      expect(body).toMatchObject({ code: 'unauthorized', statusCode: 401, requestId: expect.any(String) });
      expect(headers).not.toHaveProperty('set-cookie');
    });

    it('not with a malformed body', async () => {
      const post = () => browser.ask('post', '/console/session');
      expect((await post().send({}).expect(400)).body.errors).toMatchObject([{ field: 'apiKey', code: 'required' }]);
      await post().send({ apiKey: one.operator, more: 1 }).expect(400);
      await post()
        .send({ apiKey: 'x'.repeat(9_000) })
        .expect(413);
    });

    it('not for a suspended account', async () => {
      await one.accounts.change(one.accountId, { status: 'Suspended' });
      expect((await browser.signIn(one.operator).expect(403)).body.code).toBe('account_suspended');
    });

    it("not from another site's page, and not without the browser's headers", async () => {
      for (const more of [
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
        { 'Sec-Fetch-Site': undefined },
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { Origin: undefined },
      ]) {
        expect((await browser.signIn(one.operator, more).expect(403)).body.code).toBe('cross_site_request');
      }
    });

    it('not over plain HTTP from another machine', async () => {
      const far = new ConsoleBrowser(one, 'http://192.0.2.7:3000');
      expect((await far.signIn(one.operator).expect(403)).body.code).toBe('console_needs_tls');
      for (const near of ['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://api.localhost']) {
        await new ConsoleBrowser(one, near).enter(one.operator);
      }
    });

    it('only with a known key after too many wrong ones from an address', async () => {
      await browser.enter(one.operator);
      for (let n = 0; n < 300; n++) await browser.signIn('wrong').expect(401);
      const refused = await browser.signIn('wrong').expect(429);
      expect(refused.body).toMatchObject({ code: 'rate_limited', retryAfter: 1 });
      expect(refused.headers['retry-after']).toBe('1');
      await one.http('get', '/me', 'wrong').expect(429);
      await browser.signIn(one.operator).expect(200);
      await browser.http('get', '/me').expect(200);
    });

    it('at most 60 times a minute with one key, with at most 50 open sessions', async () => {
      await browser.enter(one.operator);
      one.clock.advance(1_000);
      for (let n = 0; n < 59; n++) await browser.signIn(one.operator).expect(200);
      expect(one.sessions.rows).toHaveLength(50);
      await browser.http('get', '/me').expect(401);
      await browser.signIn(one.operator).expect(200);
      expect((await browser.signIn(one.operator).expect(429)).body.code).toBe('rate_limited');
      await browser.signIn(await one.newKey(one.accountId, ['jobs:read'])).expect(200);
    });
  });

  describe('is used', () => {
    it('only by requests of its own pages', async () => {
      await browser.enter(one.operator);
      for (const site of ['cross-site', 'same-site', 'none']) {
        for (const method of ['get', 'post'] as const) {
          const { body } = await browser.http(method, '/api-keys', { 'Sec-Fetch-Site': site }).expect(403);
          expect(body).toMatchObject({ code: 'cross_site_request', requestId: expect.any(String) });
        }
      }
      await browser.http('get', '/me', { 'Sec-Fetch-Site': undefined }).expect(401);
      await browser.http('post', '/probe/send', { 'Sec-Fetch-Site': undefined }).expect(401);
      await browser.http('post', '/probe/send').expect(201);
    });

    it('for writes only with the origin of the service', async () => {
      await browser.enter(one.operator);
      const origins = ['https://evil.example', 'http://localhost:3001', 'http://localhost', 'null', 'x', undefined];
      for (const Origin of origins) {
        const { body } = await browser.http('post', '/probe/send', { Origin }).expect(403);
        expect(body.code).toBe('cross_site_request');
      }
      await browser.http('get', '/me', { Origin: undefined }).expect(200);
    });

    it('nowhere else: no other site may read', async () => {
      await browser.enter(one.operator);
      const { headers } = await browser.http('get', '/me', { Origin: 'https://evil.example' });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    });

    it('unless the request has a key or other credentials', async () => {
      await browser.enter(one.operator);
      const key = await one.newKey(one.accountId, ['jobs:read']);
      expect((await browser.http('get', '/me', { 'X-API-Key': key }).expect(200)).body.scopes).toEqual(['jobs:read']);
      await browser.http('get', '/me', { 'X-API-Key': key, 'Sec-Fetch-Site': 'cross-site' }).expect(200);
      await browser.http('get', '/me', { 'X-API-Key': 'wrong' }).expect(401);
      await browser.http('get', '/me', { Authorization: 'Bearer x' }).expect(401);
    });

    it('with the cookie of an unencrypted connection on this machine only', async () => {
      await browser.enter(one.operator);
      await browser.http('get', '/me', { Host: '192.0.2.7' }).expect(401);
      await browser.http('get', '/me', { Cookie: `a=b; ${browser.cookie!}; c` }).expect(200);
    });

    it('with the scopes of its key', async () => {
      await browser.enter(await one.newKey(one.accountId, ['jobs:read']));
      await browser.http('get', '/probe/jobs').expect(200);
      const { body } = await browser.http('post', '/probe/send').expect(403);
      expect(body).toMatchObject({ code: 'missing_scope', requiredScope: 'messaging:send' });
    });

    it('at its own rate, separate from the plan', async () => {
      const free = await one.newAccount('Free');
      const key = await one.newKey(free, ['jobs:read']);
      await browser.enter(key);
      for (let n = 0; n < 120; n++) {
        const { headers } = await browser.http('get', '/me').expect(200);
        expect(headers).toMatchObject({ 'ratelimit-limit': '120', 'ratelimit-remaining': String(119 - n) });
      }
      const refused = await browser.http('get', '/me').expect(429);
      expect(refused.body).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('console') });
      expect((await one.http('get', '/me', key).expect(200)).headers['ratelimit-remaining']).toBe('9');
      // Further sessions and keys get no additional requests for their account; other accounts are unaffected.
      const other = new ConsoleBrowser(one);
      await other.enter(key);
      await other.http('get', '/me').expect(429);
      await other.enter(await one.newKey(free, ['jobs:read']));
      await other.http('get', '/me').expect(429);
      await other.enter(one.operator);
      await other.http('get', '/me').expect(200);
      one.clock.advance(1_000);
      expect((await browser.http('get', '/me').expect(200)).headers['ratelimit-remaining']).toBe('29');
    });

    it('with its use recorded once a minute', async () => {
      await browser.enter(one.operator);
      for (let n = 0; n < 5; n++) await browser.http('get', '/me').expect(200);
      expect(one.sessions.writes).toBe(0);
      one.clock.advance(MINUTE);
      for (let n = 0; n < 5; n++) await browser.http('get', '/me').expect(200);
      expect(one.sessions.writes).toBe(1);
      expect((await one.keys.byId(one.accountId, await one.idOf(one.operator)))?.lastUsedAt).toEqual(one.clock.now());
    });

    it('not by guessing: after 300 unknown tokens an address waits, but not its open sessions', async () => {
      await browser.enter(one.operator);
      await browser.http('get', '/me').expect(200);
      const guess = () => browser.http('get', '/me', { Cookie: `console=${generateSessionToken()}` });
      await browser.http('get', '/me', { Cookie: 'console=x' }).expect(401);
      for (let n = 0; n < 299; n++) await guess().expect(401);
      expect((await guess().expect(429)).body.code).toBe('rate_limited');
      await browser.http('get', '/me').expect(200);
      await one.http('get', '/me', 'wrong').expect(401);
    });
  });

  describe('ends', () => {
    const over = async (sessionEnd: string) => {
      const { body } = await browser.http('get', '/me').expect(401);
      expect(body).toMatchObject({ code: 'unauthorized', sessionEnd });
      await browser.ask('get', '/console/session').expect(401);
    };

    it('with the sign-out, which deletes the cookie', async () => {
      await browser.enter(one.operator);
      const { headers, text } = await browser.ask('delete', '/console/session').expect(204);
      expect(text).toBe('');
      expect((headers['set-cookie'] as unknown as string[])[0]).toMatch(/^console=; Max-Age=0; Path=\/; /);
      await over('unknown');
      expect(one.sessions.rows).toEqual([]);
      await browser.ask('delete', '/console/session').expect(204);
    });

    it('not for guesses: after 300 unknown tokens an address waits, but not its open sessions', async () => {
      await browser.enter(one.operator);
      await browser.http('get', '/me').expect(200);
      const guess = () => browser.ask('delete', '/console/session', { Cookie: `console=${generateSessionToken()}` });
      for (let n = 0; n < 300; n++) await guess().expect(204);
      expect((await guess().expect(429)).body.code).toBe('rate_limited');
      await browser.ask('delete', '/console/session').expect(204);
      expect(one.sessions.rows).toEqual([]);
    });

    it('for streams and long requests, which do not extend it', async () => {
      const begin = async () => {
        await browser.enter(one.operator);
        await browser.http('get', '/probe/held').expect(200);
      };
      await begin();
      one.clock.advance(59 * MINUTE);
      expect(await one.isHeldAllowed()).toBe(true);
      one.clock.advance(MINUTE);
      expect(await one.isHeldAllowed()).toBe(false);
      await begin();
      await browser.ask('delete', '/console/session').expect(204);
      expect(await one.isHeldAllowed()).toBe(false);
    });

    it('with one store lookup for all long requests, of sessions and of keys', async () => {
      const held: (() => Promise<boolean>)[] = [];
      for (let n = 0; n < 5; n++) {
        await browser.enter(one.operator);
        await browser.http('get', '/probe/held').expect(200);
        held.push(one.isHeldAllowed);
        await one.http('get', '/probe/held', await one.newKey(one.accountId, ['jobs:read'])).expect(200);
        held.push(one.isHeldAllowed);
      }
      const before = { sessions: one.sessions.reads, keys: one.keys.reads };
      expect(await Promise.all(held.map((isAllowed) => isAllowed()))).toEqual(held.map(() => true));
      expect(one.sessions.reads - before.sessions).toBe(1);
      // Keys immediately, those of sessions once these are known.
      expect(one.keys.reads - before.keys).toBeLessThanOrEqual(2);
    });

    it("not by another site's page", async () => {
      await browser.enter(one.operator);
      await browser.ask('delete', '/console/session', { 'Sec-Fetch-Site': 'cross-site' }).expect(403);
      await browser.ask('delete', '/console/session', { Origin: 'https://evil.example' }).expect(403);
      await browser.http('get', '/me').expect(200);
    });
  });

  it('is not there without a cookie, which is no error to ask for', async () => {
    const { text } = await browser.ask('get', '/console/session').expect(204);
    expect(text).toBe('');
    await browser.http('get', '/me').expect(401);
  });

  it('is not a key: signing in with one reveals nothing', async () => {
    await one.http('get', '/me', one.operator).expect(200);
    await browser.ask('get', '/console/session', { 'X-API-Key': one.operator }).expect(401);
  });

  it('is recorded in the audit log with its start and end', async () => {
    await browser.enter(one.operator);
    await browser.ask('delete', '/console/session').expect(204);
    const { items } = (await one.http('get', '/audit-log', one.operator).expect(200)).body;
    const id = await one.idOf(one.operator);
    expect(items).toMatchObject([
      { action: 'console.signed_out', targetId: id, keyPrefix: one.operator.slice(4, 12), address: '127.0.0.1' },
      { action: 'console.signed_in', targetId: id, accountId: one.accountId, address: '127.0.0.1' },
    ]);
  });

  it('ends once in the audit log: a later sign-out is not recorded', async () => {
    const key = await one.newKey(one.accountId, ['jobs:read']);
    await browser.enter(key);
    one.clock.advance(HOUR);
    await browser.ask('delete', '/console/session').expect(204);
    expect(one.sessions.rows).toEqual([]);
    const { items } = (await one.http('get', '/audit-log', one.operator).expect(200)).body;
    const id = await one.idOf(key);
    const ofKey = (items as { targetId: string; action: string }[]).filter(({ targetId }) => targetId === id);
    expect(ofKey.map(({ action }) => action)).not.toContain('console.signed_out');
    expect(ofKey.map(({ action }) => action)).toContain('console.signed_in');
  });

  it("behind a trusted proxy uses the proxy's host and scheme", async () => {
    const behind = await new AccountsApi().start({ trustedProxies: ['127.0.0.1', '::1'] });
    try {
      const outside = new ConsoleBrowser(behind, 'https://console.example');
      const proxied = { Host: 'inside:3000', 'X-Forwarded-Host': 'console.example', 'X-Forwarded-Proto': 'https' };
      await outside.enter(behind.operator, proxied);
      expect(outside.cookie).toMatch(/^__Host-console=/);
      await outside.http('post', '/probe/send', proxied).expect(201);
      await outside.http('post', '/probe/send', { ...proxied, 'X-Forwarded-Host': 'other.example' }).expect(403);
      await outside.http('post', '/probe/send', { ...proxied, 'X-Forwarded-Proto': 'http' }).expect(403);
      const direct = new ConsoleBrowser(one, 'https://console.example');
      await direct.signIn(one.operator, proxied).expect(403);
    } finally {
      await behind.app.close();
    }
  });
});
