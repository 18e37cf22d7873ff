import { AccountsApi } from '../support/accounts-api';
import { SCOPES } from '../../src/kernel/caller';
import { uuidV7 } from '../../src/kernel/uuid';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';

describe('The senders of an account, for the operator', () => {
  let one: AccountsApi;
  let operator: string;
  let accountId: string;
  let defaultId: string;
  const http: AccountsApi['http'] = (...call) => one.http(...call);
  const SECOND = { phoneNumberId: '1002', businessAccountId: '2001' };

  beforeEach(async () => {
    one = await new AccountsApi().start();
    ({ operator } = one);
    const sender = { phoneNumberId: '1001', businessAccountId: '2001' };
    const { body } = await http('post', '/accounts', operator).send({ name: 'Shop', plan: 'Free', sender });
    accountId = body.id as string;
    defaultId = (await one.accounts.sendersOf(accountId))[0]!.id;
  });
  afterEach(() => one.app.close());

  const path = (senderId?: string) => `/accounts/${accountId}/senders${senderId === undefined ? '' : `/${senderId}`}`;
  const add = (more: object = {}) => http('post', path(), operator).send({ ...SECOND, ...more });
  const change = (senderId: string, body: object) => http('patch', path(senderId), operator).send(body);
  const added = async (more: object = {}) => (await add(more).expect(201)).body.id as string;
  const actions = async () =>
    ((await http('get', `/audit-log?accountId=${accountId}`, operator)).body.items as object[]).reverse();

  it('are added, without showing their secrets', async () => {
    const { body } = await add({ accessToken: 'EAAG-secret', appSecret: 'app-secret', messagesPerSecond: 20 }).expect(
      201,
    );
    expect(body).toEqual({
      id: expect.any(String) as string,
      default: false,
      ...{ ...SECOND, displayPhoneNumber: null, messagesPerSecond: 20, messagingTier: 'Unlimited' },
      marketingMessagesApi: false,
    });
    expect(await one.accounts.sender(body.id)).toMatchObject({ accessToken: 'EAAG-secret', appSecret: 'app-secret' });
    expect((await http('get', `/accounts/${accountId}`, operator)).body.sender.phoneNumberId).toBe('1001');
    expect(await actions()).toMatchObject([
      { action: 'account.created' },
      { action: 'sender.created', targetId: body.id, accountId },
    ]);
  });

  it('are validated and checked with the platform like that of a new account', async () => {
    const { body } = await add({ phoneNumberId: 'x', messagesPerSecond: 0 }).expect(400);
    expect((body.errors as { field: string }[]).map(({ field }) => field).sort()).toEqual([
      'messagesPerSecond',
      'phoneNumberId',
    ]);
    expect((await add({ accessToken: 'refused' }).expect(422)).body.code).toBe('sender_not_reachable');
    await add({ accessToken: 'refused', skipCheck: true }).expect(201);
    expect((await add().expect(409)).body.code).toBe('phone_number_taken');
    expect((await add({ phoneNumberId: '1001' }).expect(409)).body.code).toBe('phone_number_taken');
  });

  it('are changed, and one of them is made the default', async () => {
    const id = await added();
    const changed = await change(id, { messagesPerSecond: 5, default: true }).expect(200);
    expect(changed.body).toMatchObject({ id, default: true, messagesPerSecond: 5 });
    expect((await http('get', `/accounts/${accountId}`, operator)).body.sender.phoneNumberId).toBe('1002');
    expect((await one.app.get(SendersService).ofAccount(accountId)).id).toBe(id);
    expect((await change(id, { default: false }).expect(400)).body.errors).toMatchObject([{ field: 'default' }]);
    await change(id, {}).expect(200);
    expect((await change(id, { phoneNumberId: '1001' }).expect(409)).body.code).toBe('phone_number_taken');
    expect((await change(defaultId, { accessToken: 'refused' }).expect(422)).body.code).toBe('sender_not_reachable');
    const display = await change(id, { displayPhoneNumber: '+49 30 1' }).expect(200);
    expect(display.body.displayPhoneNumber).toBe('+49 30 1');
    expect((await change(id, { businessPortfolioId: '301' }).expect(200)).body.businessPortfolioId).toBe('301');
    expect((await one.accounts.sender(id))?.portfolioId).toBe('301');
    expect((await change(id, { businessPortfolioId: null }).expect(200)).body).not.toHaveProperty(
      'businessPortfolioId',
    );
    expect((await change(id, { phoneNumberId: '1003' }).expect(200)).body.displayPhoneNumber).toBeNull();
    expect((await actions())[2]).toMatchObject({
      ...{ action: 'sender.changed', targetId: id },
      fields: ['messagesPerSecond', 'default'],
    });
  });

  it('are deleted, but neither the default nor the only one', async () => {
    expect((await http('delete', path(defaultId), operator).expect(409)).body.code).toBe('only_sender');
    const id = await added();
    const refused = await http('delete', path(defaultId), operator).expect(409);
    expect(refused.body).toMatchObject({
      code: 'default_sender',
      message: expect.stringContaining('"default": true') as string,
    });
    await change(id, { accessToken: 'own' }).expect(200);
    await http('delete', path(id), operator).expect(204);
    expect((await http('delete', path(id), operator).expect(404)).body.code).toBe('sender_not_found');
    expect((await change(id, { default: true }).expect(404)).body.code).toBe('sender_not_found');
    expect((await actions()).at(-1)).toMatchObject({ action: 'sender.deleted', targetId: id });
    await add().expect(201);
  });

  it('of an account without any: the first one is the default', async () => {
    const { body } = await http('post', '/accounts', operator).send({ name: 'Empty', plan: 'Free' });
    const first = await http('post', `/accounts/${body.id}/senders`, operator).send(SECOND).expect(201);
    expect(first.body.default).toBe(true);
  });

  it('are not those of another account, or of one that is deleted', async () => {
    const unknown = uuidV7();
    expect((await change(unknown, { default: true }).expect(404)).body.code).toBe('sender_not_found');
    const other = (await http('post', '/accounts', operator).send({ name: 'Other', plan: 'Free' })).body.id as string;
    const foreign = http('patch', `/accounts/${other}/senders/${defaultId}`, operator).send({ default: true });
    expect((await foreign.expect(404)).body.code).toBe('sender_not_found');
    const nobody = http('post', `/accounts/${unknown}/senders`, operator).send(SECOND);
    expect((await nobody.expect(404)).body.code).toBe('account_not_found');
    await http('delete', `/accounts/${accountId}`, operator).expect(202);
    expect((await add().expect(409)).body.code).toBe('account_deleting');
  });

  it('need accounts:manage', async () => {
    const scopes = SCOPES.filter((scope) => scope !== 'accounts:manage');
    const key = await one.newKey(one.accountId, scopes);
    for (const call of [http('post', path(), key).send(SECOND), http('delete', path(defaultId), key)]) {
      expect((await call.expect(403)).body.requiredScope).toBe('accounts:manage');
    }
  });
});
