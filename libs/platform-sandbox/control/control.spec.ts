import { column, LiveSandbox, Subscriber, until } from '../fixtures/live-sandbox';

describe("The sandbox's own endpoints", () => {
  let sandbox: LiveSandbox;

  beforeEach(async () => {
    sandbox = await LiveSandbox.start({ latencyMs: 0 });
  });
  afterEach(() => sandbox.close());

  it('ledger lists accepted messages in order, after a number and up to a limit', async () => {
    for (let count = 0; count < 5; count++) await sandbox.order(`49151128880${count}9`);
    const seqs = async (query: string) => column((await sandbox.control('GET', `ledger${query}`)).body.items, 'seq');
    expect(await seqs('')).toEqual([1, 2, 3, 4, 5]);
    expect(await seqs('?after=3')).toEqual([4, 5]);
    expect(await seqs('?after=1&limit=2')).toEqual([2, 3]);
    expect(await seqs('?after=99')).toEqual([]);
    expect((await sandbox.control('GET', 'ledger?after=x')).status).toBe(400);
  });

  it('ledger has null for missing callback data, and any Unicode characters', async () => {
    await sandbox.order('491511288809', { biz_opaque_callback_data: 'grün "👍"' });
    await sandbox.order('491511288808');
    expect(column(await sandbox.ledger(), 'callbackData')).toEqual(['grün "👍"', null]);
  });

  it('stats count arrivals, accepted messages, errors by code and faults, in total and per number', async () => {
    await sandbox.order('491511288809');
    await sandbox.order('491511280002');
    await sandbox.order('491511280007');
    await sandbox.order('12');
    const { body } = await sandbox.control('GET', 'stats');
    expect(body).toMatchObject({
      arrivals: 4,
      accepted: 1,
      refused: { 131026: 1, 131009: 1 },
      faults: { html502Before: 1 },
      maxArrivalsPerSecond: 4,
      phoneNumbers: { 109876543210001: { arrivals: 4, accepted: 1, maxArrivalsPerSecond: 4 } },
    });
    const perSecond = column(body.perSecond, 'arrivals').map(Number);
    expect(perSecond.reduce((sum, count) => sum + count, 0)).toBe(4);
  });

  it('config changes the given fields and keeps the rest', async () => {
    const before = (await sandbox.control('GET', 'config')).body;
    const { status, body } = await sandbox.control('POST', 'config', { latencyMs: 1, faults: { held: 0.5 } });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, latencyMs: 1, faults: { ...before.faults, held: 0.5 } });
  });

  it.each([
    ['an unknown field', { speed: 1 }, 'speed'],
    ['an unknown fault', { faults: { fire: 1 } }, 'fire'],
    ['a share above 1', { faults: { cutBefore: 2 } }, 'faults.cutBefore'],
    ['a wrong kind', { latencyMs: 'soon' }, 'latencyMs'],
    ['an unknown code', { faults: { refuse: { 7: 1 } } }, 'faults.refuse'],
    ['a sender without account', { senders: [{ phoneNumberId: '12345' }] }, 'senders.0.businessAccountId'],
  ])('config rejects %s and changes nothing', async (_, change, word) => {
    const before = (await sandbox.control('GET', 'config')).body;
    const { status, body } = await sandbox.control('POST', 'config', { latencyJitterMs: 7, ...change });
    expect(status).toBe(400);
    expect(body.error).toContain(word);
    expect((await sandbox.control('GET', 'config')).body).toEqual(before);
  });

  it('config sets the limits of the platform with strict, except those of the same change, and removes them', async () => {
    const config = async () => (await sandbox.control('GET', 'config')).body as object;
    const before = await config();
    await sandbox.control('POST', 'config', { strict: true, marketingPreparationMs: 0 });
    expect(await config()).toEqual({
      ...{ ...before, strict: true, messagesPerSecond: 80, pairLimit: 10, statusContacts: true },
      ...{ strictMedia: true, templateEditsPerDay: 1, marketingPreparationMs: 0 },
    });
    const codes = [];
    for (let n = 0; n < 11; n++) codes.push((await sandbox.order('491511288809')).body.error?.code);
    expect(codes).toEqual([...Array<undefined>(10), 131056]);
    await sandbox.control('POST', 'config', { strict: false });
    expect(await config()).toEqual(before);
  });

  it('reset restores everything except senders and subscriptions', async () => {
    const subscriber = new Subscriber();
    await sandbox.subscribe(await subscriber.listen());
    const senders = [{ phoneNumberId: '109876543210009', businessAccountId: '204876543210009' }];
    await sandbox.control('POST', 'config', { senders, refuseNext: { code: 4, count: 1 }, messagesPerSecond: 1 });
    await sandbox.order('491511280004');
    await sandbox.control('POST', 'templates', { name: 'order_update', status: 'DISABLED' });
    expect((await sandbox.control('POST', 'reset')).status).toBe(200);

    expect(await sandbox.ledger()).toEqual([]);
    expect((await sandbox.control('GET', 'stats')).body).toMatchObject({ arrivals: 0, refused: {} });
    const config = (await sandbox.control('GET', 'config')).body;
    expect(config).toMatchObject({ messagesPerSecond: 1000, refuseNext: { count: 0 }, statusDelayMs: 10 });
    expect(column(config.senders, 'phoneNumberId')).toContain('109876543210009');
    expect((await sandbox.order('491511280004')).body.error.code).toBe(130429);
    const { id } = (await sandbox.order('491511280004')).body.messages[0];
    await until(() => subscriber.statusNamesOf(id).includes('delivered'));
    await subscriber.close();
  });

  it('report invalid input and unknown paths', async () => {
    expect((await sandbox.control('POST', 'inbound', { text: 'x' })).body.error).toContain('from');
    expect((await sandbox.control('POST', 'inbound', { from: '4915112345678' })).body.error).toContain('text');
    expect((await sandbox.control('POST', 'templates', { name: 'nobody' })).body.error).toContain('nobody');
    expect((await sandbox.control('POST', 'webhooks', { field: 'x', businessAccountId: '1' })).status).toBe(400);
    expect((await sandbox.control('GET', 'nowhere')).status).toBe(404);
  });

  it('return the credentials', async () => {
    expect((await sandbox.control('GET', '')).body.credentials).toMatchObject({
      accessToken: 'sandbox-access-token',
      phoneNumberId: '109876543210001',
      businessAccountId: '204876543210002',
      appSecret: 'sandbox-app-secret',
      verifyToken: 'sandbox-verify-token',
      appId: '300000000000001',
      displayPhoneNumber: '+49 30 900000001',
    });
  });
});
