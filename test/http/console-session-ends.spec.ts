import { ConsoleSessions } from '../../src/modules/accounts/domain/console-sessions';
import { AccountsApi } from '../support/accounts-api';
import { ConsoleBrowser } from '../support/console-browser';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('A session of the console ends, and the next request states why:', () => {
  let one: AccountsApi;
  let browser: ConsoleBrowser;

  beforeEach(async () => {
    one = await new AccountsApi().start();
    browser = new ConsoleBrowser(one);
  });
  afterEach(() => one.app.close());

  const over = async (sessionEnd: string) => {
    const { body } = await browser.http('get', '/me').expect(401);
    expect(body).toMatchObject({ code: 'unauthorized', sessionEnd });
    await browser.ask('get', '/console/session').expect(401);
  };

  it('an hour after its last use', async () => {
    await browser.enter(one.operator);
    one.clock.advance(HOUR - MINUTE);
    await browser.http('get', '/me').expect(200);
    one.clock.advance(HOUR - 1);
    await browser.http('get', '/me').expect(200);
    one.clock.advance(HOUR);
    await over('idle');
  });

  it('after 12 hours, regardless of use', async () => {
    await browser.enter(one.operator);
    for (let hours = 0; hours < 24; hours++) {
      await browser.http('get', '/me').expect(200);
      one.clock.advance(HOUR / 2);
    }
    await over('too_old');
  });

  it('with its key, at the next request', async () => {
    const key = await one.newKey(one.accountId, ['jobs:read']);
    await browser.enter(key);
    await browser.http('get', '/me').expect(200);
    // Like another process: this one gets no notification.
    await one.keys.revoke(await one.idOf(key), one.clock.now());
    await over('key_revoked');
  });

  it('when its key expires', async () => {
    const expiresAt = new Date(one.clock.now().getTime() + 1_000);
    await browser.enter(await one.newKey(one.accountId, ['jobs:read'], { expiresAt }));
    await browser.http('get', '/me').expect(200);
    one.clock.advance(1_000);
    await over('key_expired');
  });

  it('with the secret that started it: at a rotation, or after the overlap', async () => {
    const key = await one.newKey(one.accountId, ['jobs:read']);
    const id = await one.idOf(key);
    await browser.enter(key);
    await one.http('post', `/api-keys/${id}/rotate`, one.operator).send({ overlapSeconds: 60 }).expect(201);
    await browser.http('get', '/me').expect(200);
    one.clock.advance(60_000);
    await over('secret_rotated');
  });

  it('automatically for scopes and addresses that its key loses, and for a suspended account', async () => {
    const key = await one.newKey(one.accountId, ['jobs:read']);
    const id = await one.idOf(key);
    await browser.enter(key);
    await one.keys.change(id, { scopes: ['groups:read'] });
    await browser.http('get', '/probe/jobs').expect(403);
    await one.keys.change(id, { allowedIps: ['203.0.113.0/24'] });
    await over('address_not_allowed');
    await one.keys.change(id, { allowedIps: [] });
    await one.accounts.change(one.accountId, { status: 'Suspended' });
    expect((await browser.ask('get', '/console/session').expect(403)).body.code).toBe('account_suspended');
  });

  it('is deleted a day after it expired, until when its end is explained', async () => {
    const sessions = one.app.get(ConsoleSessions);
    await browser.enter(one.operator);
    one.clock.advance(25 * HOUR);
    await sessions.clean();
    expect((await browser.http('get', '/me').expect(401)).body.sessionEnd).toBe('idle');
    one.clock.advance(1);
    await sessions.clean();
    expect((await browser.http('get', '/me').expect(401)).body.sessionEnd).toBe('unknown');
  });
});
