import { AccountsApi, type ErrorEntry } from '../support/accounts-api';
import { SCOPES } from '../../src/kernel/caller';
import { uuidV7 } from '../../src/kernel/uuid';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';

describe('Accounts over HTTP', () => {
  let one: AccountsApi;
  let accountId: string;
  let operator: string;
  const http: AccountsApi['http'] = (...call) => one.http(...call);

  beforeEach(async () => {
    one = await new AccountsApi().start();
    ({ accountId, operator } = one);
  });
  afterEach(() => one.app.close());

  it('shows and sets the default country of its own account, with keys:manage', async () => {
    const key = await one.newKey(accountId, ['keys:manage']);
    const country = async () => (await http('get', '/me', key).expect(200)).body.account.defaultCountry as unknown;
    expect(await country()).toBeNull();
    const { body } = await http('patch', '/me', key).send({ defaultCountry: 'DE' }).expect(200);
    expect(body.account).toMatchObject({ id: accountId, defaultCountry: 'DE' });
    await http('patch', '/me', key).send({}).expect(200);
    expect(await country()).toBe('DE');
    await http('patch', '/me', key).send({ defaultCountry: 'XX' }).expect(400);
    await http('patch', '/me', key).send({ plan: 'Enterprise' }).expect(400);
    await http('patch', '/me', key).send({ defaultCountry: null }).expect(200);
    expect(await country()).toBeNull();
    const other = await one.newKey(accountId, ['messaging:send']);
    expect((await http('patch', '/me', other).send({ defaultCountry: 'DE' }).expect(403)).body.requiredScope).toBe(
      'keys:manage',
    );
  });

  describe('the operator', () => {
    const SENDER = { phoneNumberId: '1001', businessAccountId: '2001' };
    const NEW = { name: 'Shop', plan: 'Free' };

    it('needs accounts:manage', async () => {
      const key = await one.newKey(
        accountId,
        SCOPES.filter((scope) => scope !== 'accounts:manage'),
      );
      expect((await http('get', '/accounts', key).expect(403)).body.requiredScope).toBe('accounts:manage');
    });

    it('sets another number, without the former display number', async () => {
      const sender = { ...SENDER, phoneNumberId: '700000000000801', displayPhoneNumber: '+49 30 801' };
      const { body } = await http('post', '/accounts', operator)
        .send({ ...NEW, sender })
        .expect(201);
      const patched = async (change: object) =>
        (await http('patch', `/accounts/${body.id}`, operator).send({ sender: change }).expect(200)).body
          .sender as object;
      expect(await patched({ phoneNumberId: sender.phoneNumberId })).toMatchObject({
        displayPhoneNumber: '+49 30 801',
      });
      expect(await patched({ phoneNumberId: '700000000000802' })).toMatchObject({ displayPhoneNumber: null });
      const both = { phoneNumberId: '700000000000803', displayPhoneNumber: '+49 30 803' };
      expect(await patched(both)).toMatchObject(both);
    });

    it('creates an account with a sender, without seeing its secrets again', async () => {
      const sender = {
        ...SENDER,
        accessToken: 'EAAG-secret',
        appSecret: 'hush',
        messagesPerSecond: 250,
        messagingTier: '1000',
      };
      const { body, text } = await http('post', '/accounts', operator)
        .send({ ...NEW, defaultCountry: 'DE', sender })
        .expect(201);
      expect(text).not.toMatch(/EAAG-secret|hush/);
      expect(body).toEqual({
        id: expect.any(String),
        ...NEW,
        status: 'Active',
        sendingPaused: false,
        defaultCountry: 'DE',
        businessPortfolioId: null,
        sender: {
          ...{ ...SENDER, displayPhoneNumber: null, messagesPerSecond: 250, messagingTier: '1000' },
          marketingMessagesApi: false,
        },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
      await http('get', `/accounts/${body.id}`, operator).expect(200, body);
      expect((await http('get', '/accounts', operator)).body).toMatchObject({
        totalCount: 2,
        items: [{ id: body.id }, { id: accountId }],
      });
      expect((await one.accounts.sendersOf(body.id))[0]?.accessToken).toBe('EAAG-secret');
    });

    it('gets all errors of an account, those of its sender by path', async () => {
      const bad = {
        name: '',
        sender: { phoneNumberId: 'abc', messagesPerSecond: 0, messagingTier: '5', accessToken: '' },
        defaultCountry: 'XX',
      };
      const { body } = await http('post', '/accounts', operator).send(bad).expect(400);
      expect((body.errors as ErrorEntry[]).map((error) => error.field).sort()).toEqual([
        'defaultCountry',
        'name',
        'plan',
        'sender.accessToken',
        'sender.businessAccountId',
        'sender.messagesPerSecond',
        'sender.messagingTier',
        'sender.phoneNumberId',
      ]);
      const unknownPlan = await http('post', '/accounts', operator)
        .send({ ...NEW, plan: 'toString' })
        .expect(400);
      expect(unknownPlan.body.errors).toEqual([expect.objectContaining({ field: 'plan', code: 'not_allowed' })]);
    });

    it.each([
      [{ plan: 'Gold' }, ['plan', 'not_allowed']],
      [{ plan: 'free' }, ['plan', 'not_allowed']],
      [{ plan: 'constructor' }, ['plan', 'not_allowed']],
      [{ plan: undefined }, ['plan', 'required']],
      [{ sender: 'x' }, ['sender', 'wrong_type']],
      [{ sender: { ...SENDER, messagesPerSecond: 0 } }, ['sender.messagesPerSecond', 'out_of_range']],
      [{ sender: { ...SENDER, messagesPerSecond: 100_001 } }, ['sender.messagesPerSecond', 'out_of_range']],
      [{ sender: { ...SENDER, messagingTier: '500' } }, ['sender.messagingTier', 'not_allowed']],
      [{ sender: { phoneNumberId: '1001' } }, ['sender.businessAccountId', 'required']],
      [{ defaultCountry: 'Germany' }, ['defaultCountry', 'not_allowed']],
      [{ admin: true }, ['admin', 'unknown_field']],
    ])('cannot create an account with %j', async (fields, error) => {
      const { body } = await http('post', '/accounts', operator)
        .send({ ...NEW, ...fields })
        .expect(400);
      expect((body.errors as ErrorEntry[]).map(({ field, code }) => [field, code])).toEqual([error]);
    });

    it('changes the given fields and keeps the rest', async () => {
      const { body } = await http('post', '/accounts', operator).send({ ...NEW, defaultCountry: 'DE', sender: SENDER });
      const change = {
        ...{ plan: 'Enterprise', defaultCountry: null },
        sender: { messagesPerSecond: 1, marketingMessagesApi: true },
      };
      const changed = await http('patch', `/accounts/${body.id}`, operator).send(change).expect(200);
      expect(changed.body).toMatchObject({ ...change, name: 'Shop', sender: { ...SENDER, ...change.sender } });
    });

    it.each([
      { sender: [] },
      { sender: null },
      { sender: 'x' },
      { plan: null },
      { sendingPaused: null },
      { sendingPaused: 'true' },
      { status: 'Deleted' },
      { sender: { messagesPerSecond: 100_001 } },
      { sender: { marketingMessagesApi: null } },
      { id: 'x' },
    ])('cannot make the change %j', async (change) => {
      const { body } = await http('post', '/accounts', operator).send({ ...NEW, sender: SENDER });
      expect((await http('patch', `/accounts/${body.id}`, operator).send(change).expect(400)).body.code).toBe(
        'validation_failed',
      );
    });

    it("gives pace and messaging tier back to the platform's with null", async () => {
      const own = { ...SENDER, messagesPerSecond: 5, messagingTier: '250' };
      const { body } = await http('post', '/accounts', operator).send({ ...NEW, sender: own });
      expect(body.sender).toMatchObject({ messagesPerSecond: 5, messagingTier: '250' });
      const changed = await http('patch', `/accounts/${body.id}`, operator)
        .send({ sender: { messagesPerSecond: null, messagingTier: null } })
        .expect(200);
      expect(changed.body.sender).toMatchObject({ messagesPerSecond: 80, messagingTier: 'Unlimited' });
    });

    it('gives an account its first sender later, which needs both ids', async () => {
      const { body } = await http('post', '/accounts', operator).send(NEW).expect(201);
      const refused = await http('patch', `/accounts/${body.id}`, operator)
        .send({ sender: { messagesPerSecond: 5 } })
        .expect(400);
      expect((refused.body.errors as ErrorEntry[]).map((error) => error.field)).toEqual([
        'sender.phoneNumberId',
        'sender.businessAccountId',
      ]);
      const given = await http('patch', `/accounts/${body.id}`, operator)
        .send({ sender: { ...SENDER, messagesPerSecond: 5 } })
        .expect(200);
      expect(given.body.sender).toMatchObject({ ...SENDER, messagesPerSecond: 5, messagingTier: 'Unlimited' });
    });

    it('cannot add a sender whose token the platform refuses or cannot check, except with skipCheck', async () => {
      const refused = { ...SENDER, accessToken: 'refused' };
      const create = (body: object) => http('post', '/accounts', operator).send({ ...NEW, ...body });
      const rejected = await create({ sender: refused }).expect(422);
      expect(rejected.body).toMatchObject({
        code: 'sender_not_reachable',
        message: expect.stringMatching(/refuses.*1001.*190.*skipCheck/),
      });
      one.platform.isUnavailable = true;
      const away = await create({ sender: SENDER }).expect(422);
      expect(away.body).toMatchObject({
        code: 'sender_not_reachable',
        message: expect.stringMatching(/could not be reached.*ECONNREFUSED/),
      });
      expect((await http('get', '/accounts', operator)).body.totalCount).toBe(1);
      await create({ sender: refused, skipCheck: true }).expect(201);
    });

    it('checks with the platform if number or token change, using the new token', async () => {
      const { body } = await http('post', '/accounts', operator).send({ ...NEW, sender: SENDER, skipCheck: true });
      const change = (sender: object, more: object = {}) =>
        http('patch', `/accounts/${body.id}`, operator).send({ sender, ...more });
      await change({ messagesPerSecond: 5 }).expect(200);
      expect(one.platform.asked).toEqual([]);
      expect((await change({ accessToken: 'refused' }).expect(422)).body.code).toBe('sender_not_reachable');
      await change({ accessToken: 'good' }).expect(200);
      await change({ phoneNumberId: '1002' }).expect(200);
      await change({ accessToken: null }).expect(200);
      const appSecret = 'environment-secret';
      expect(one.platform.asked).toEqual([
        { phoneNumberId: '1001', accessToken: 'refused', appSecret },
        { phoneNumberId: '1001', accessToken: 'good', appSecret },
        { phoneNumberId: '1002', accessToken: 'good', appSecret },
        { phoneNumberId: '1002', accessToken: null, appSecret },
      ]);
      await change({ accessToken: 'refused' }, { skipCheck: true }).expect(200);
    });

    it('stops sending immediately in this process', async () => {
      const { body } = await http('post', '/accounts', operator).send({ ...NEW, sender: SENDER });
      const senders = one.app.get(SendersService);
      expect((await senders.ofAccount(body.id)).sendingPaused).toBe(false);
      await http('patch', `/accounts/${body.id}`, operator).send({ sendingPaused: true }).expect(200);
      expect((await senders.ofAccount(body.id)).sendingPaused).toBe(true);
      const key = await one.newKey(body.id, ['jobs:read']);
      expect((await http('get', '/me', key)).body.account).toMatchObject({ id: body.id, sendingPaused: true });
    });

    it('cannot give one phone number to two accounts', async () => {
      await http('post', '/accounts', operator)
        .send({ ...NEW, sender: SENDER })
        .expect(201);
      expect(
        (
          await http('post', '/accounts', operator)
            .send({ ...NEW, sender: SENDER })
            .expect(409)
        ).body.code,
      ).toBe('phone_number_taken');
    });

    it('suspends and activates another account, but not its own', async () => {
      const { body } = await http('post', '/accounts', operator).send(NEW);
      const { key } = (
        await http('post', `/accounts/${body.id}/api-keys`, operator)
          .send({ name: 'K', scopes: ['jobs:read'] })
          .expect(201)
      ).body;
      await http('get', '/probe/jobs', key).expect(200);
      await http('patch', `/accounts/${body.id}`, operator).send({ status: 'Suspended' }).expect(200);
      await http('get', '/probe/jobs', key).expect(403);
      await http('patch', `/accounts/${body.id}`, operator).send({ status: 'Active' }).expect(200);
      await http('get', '/probe/jobs', key).expect(200);
      expect(
        (await http('patch', `/accounts/${accountId}`, operator).send({ status: 'Suspended' }).expect(409)).body.code,
      ).toBe('own_account');
    });

    it('may give scopes that its own key lacks to keys of other accounts', async () => {
      const pureOperator = await one.newKey(accountId, ['accounts:manage']);
      const other = await one.newAccount('Enterprise');
      const { body } = await http('post', `/accounts/${other}/api-keys`, pureOperator)
        .send({ name: 'K', scopes: SCOPES.filter((scope) => scope !== 'accounts:manage') })
        .expect(201);
      await http('post', '/probe/send', body.key).expect(201);
    });

    it('deletes another account once, but not its own, and changes none that is deleted', async () => {
      const { body } = await http('post', '/accounts', operator).send(NEW).expect(201);
      const path = `/accounts/${body.id}`;
      const deleted = await http('delete', path, operator).expect(202);
      expect(deleted.body).toMatchObject({ id: body.id, name: 'Shop', status: 'Deleting' });
      expect((await http('delete', path, operator).expect(202)).body.status).toBe('Deleting');
      expect((await http('get', path, operator).expect(200)).body.status).toBe('Deleting');
      expect((await http('patch', path, operator).send({ status: 'Active' }).expect(409)).body.code).toBe(
        'account_deleting',
      );
      const key = { name: 'k', scopes: ['messaging:send'] };
      expect((await http('post', `${path}/api-keys`, operator).send(key).expect(409)).body.code).toBe(
        'account_deleting',
      );
      expect((await http('delete', `/accounts/${accountId}`, operator).expect(409)).body.code).toBe('own_account');
      const { items } = (await http('get', '/audit-log', operator).expect(200)).body as { items: { action: string }[] };
      expect(items.filter(({ action }) => action === 'account.deleted')).toMatchObject([
        { accountId, targetId: body.id },
      ]);
    });

    it('gets 404 for an unknown account', async () => {
      for (const id of [uuidV7(), 'nonsense']) {
        expect((await http('get', `/accounts/${id}`, operator).expect(404)).body.code).toBe('account_not_found');
        await http('patch', `/accounts/${id}`, operator).send({ name: 'X' }).expect(404);
        await http('post', `/accounts/${id}/api-keys`, operator)
          .send({ name: 'K', scopes: ['jobs:read'] })
          .expect(404);
      }
    });
  });
});
