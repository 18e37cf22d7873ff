import throughput from '../fixtures/error-throughput-130429.json';
import { LiveSandbox, structureOf, until } from '../fixtures/live-sandbox';

const TO = '491511239998';

describe('Limits and faults', () => {
  let sandbox: LiveSandbox;
  const set = (change: object) => sandbox.control('POST', 'config', change);

  beforeEach(async () => {
    sandbox = await LiveSandbox.start();
  });
  afterEach(() => sandbox.close());

  it('throttle a number above its messages per second, with the recorded error', async () => {
    await set({ messagesPerSecond: 5 });
    const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => sandbox.order(`49151123888${index}`)));
    const throttled = replies.filter(({ status }) => status === 400);
    expect(throttled).toHaveLength(3);
    expect(structureOf(throttled[0]?.body)).toEqual(structureOf(throughput.body));
    expect(throttled[0]?.body.error).toMatchObject({ ...throughput.body.error, fbtrace_id: expect.any(String) });
  });

  it('count each number separately and apply its own limit', async () => {
    await set({
      messagesPerSecond: 1,
      senders: [{ phoneNumberId: '109876543210009', businessAccountId: '204876543210002', messagesPerSecond: 2 }],
    });
    const statuses = async (sender: string) => {
      const hello = { to: TO, type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } };
      const replies = [];
      for (let count = 0; count < 3; count++) replies.push((await sandbox.message(hello, sender)).status);
      return replies;
    };
    expect(await statuses('109876543210001')).toEqual([200, 400, 400]);
    expect(await statuses('109876543210009')).toEqual([200, 200, 400]);
  });

  it('limit a pair of numbers without affecting other pairs', async () => {
    await set({ pairLimit: 2 });
    const codes = [];
    for (const to of [TO, TO, TO, '491511239997']) codes.push((await sandbox.order(to)).body.error?.code);
    expect(codes).toEqual([undefined, undefined, 131056, undefined]);
  });

  it('reject the next messages with the configured code', async () => {
    await set({ refuseNext: { code: 80007, count: 2 } });
    const codes = [];
    for (let count = 0; count < 3; count++) codes.push((await sandbox.order(TO)).body.error?.code);
    expect(codes).toEqual([80007, 80007, undefined]);
  });

  describe('of templates', () => {
    const create = (name: string, category: string) =>
      sandbox.call('POST', '/v25.0/204876543210002/message_templates', {
        ...{ name, language: 'en_US', category },
        components: [{ type: 'BODY', text: `Look what ${name} has for you` }],
      });
    const send = async (name: string, path = 'v25.0/109876543210001/marketing_messages') => {
      const template = { name, language: { code: 'en_US' } };
      const { body } = await sandbox.call('POST', `/${path}`, {
        ...{ messaging_product: 'whatsapp', to: TO, type: 'template', template },
      });
      return body.error?.code as number | undefined;
    };

    it('reject a new template on the marketing endpoint, with a different code in older versions', async () => {
      await set({ autoApproveMs: 0, marketingPreparationMs: 60_000 });
      await create('spring_news', 'MARKETING');
      await new Promise((approved) => setTimeout(approved, 20));
      expect(await send('spring_news')).toBe(134101);
      expect(await send('spring_news', 'v22.0/109876543210001/marketing_messages')).toBe(131009);
      expect(await send('spring_news', 'v25.0/109876543210001/messages')).toBeUndefined();
      await set({ marketingPreparationMs: 10 });
      expect(await send('spring_news')).toBeUndefined();
    });

    it('do not apply to templates of a fresh account', async () => {
      await set({ marketingPreparationMs: 60_000 });
      const video = { type: 'header', parameters: [{ type: 'video', video: { link: 'https://x.test/a.mp4' } }] };
      const { status } = await sandbox.call('POST', '/v25.0/109876543210001/marketing_messages', {
        ...{ messaging_product: 'whatsapp', to: TO, type: 'template' },
        template: { name: 'product_video', language: { code: 'en_US' }, components: [video] },
      });
      expect(status).toBe(200);
    });

    it('reject template messages while the account is limited, but not text messages', async () => {
      await set({ templatesLimited: true });
      await sandbox.control('POST', 'inbound', { from: TO, text: 'Hello' });
      expect((await sandbox.order(TO)).body.error.code).toBe(131064);
      expect((await sandbox.message({ to: TO, type: 'text', text: { body: 'Hi' } })).status).toBe(200);
      await set({ templatesLimited: false });
      expect((await sandbox.order(TO)).status).toBe(200);
    });
  });

  it.each([
    ['throttle', 400, 130429],
    ['error131000', 500, 131000],
  ])('%s responds with status %i and code %i', async (name, status, code) => {
    await set({ faults: { [name]: 1 } });
    const reply = await sandbox.order(TO);
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
  });

  it.each([
    [4, 400],
    [190, 401],
    [131031, 403],
    [131016, 500],
    [2, 503],
  ])('refuse returns code %i with HTTP %i', async (code, status) => {
    await set({ faults: { refuse: { [code]: 1 } } });
    const reply = await sandbox.order(TO);
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
  });

  it.each([
    ['cutBefore', 0],
    ['cutAfterAccept', 1],
  ])('%s cuts the connection with %i accepted', async (name, accepted) => {
    await set({ faults: { [name]: 1 } });
    await expect(sandbox.order(TO)).rejects.toThrow();
    expect(await sandbox.ledger()).toHaveLength(accepted);
  });

  it.each([
    ['html502Before', 0],
    ['html502AfterAccept', 1],
  ])('%s responds with a gateway page with %i accepted', async (name, accepted) => {
    await set({ faults: { [name]: 1 } });
    expect((await sandbox.order(TO)).status).toBe(502);
    expect(await sandbox.ledger()).toHaveLength(accepted);
  });

  it.each([
    ['hang', 0],
    ['hangAfterAccept', 1],
  ])('%s never responds with %i accepted', async (name, accepted) => {
    await set({ faults: { [name]: 1 } });
    const response = sandbox.order(TO).catch(() => 'never');
    await until(async () => (await sandbox.control('GET', 'stats')).body.arrivals === 1);
    expect(await sandbox.ledger()).toHaveLength(accepted);
    await sandbox.close();
    expect(await response).toBe('never');
  });

  it('hold a message for quality assessment if configured', async () => {
    await set({ faults: { held: 1 } });
    expect((await sandbox.order(TO)).body.messages[0].message_status).toBe('held_for_quality_assessment');
  });

  it('affect about their share of messages, and the same messages for the same seed', async () => {
    const run = async () => {
      await set({ seed: 42, faults: { throttle: 0.3 } });
      const hits = [];
      for (let count = 0; count < 100; count++) hits.push((await sandbox.order(TO)).status === 400);
      return hits;
    };
    const first = await run();
    expect(first.filter((hit) => hit).length).toBeGreaterThan(15);
    expect(first.filter((hit) => hit).length).toBeLessThan(45);
    expect(await run()).toEqual(first);
  });

  it('delay the response but not the ledger', async () => {
    await set({ latencyMs: 150, latencyJitterMs: 20 });
    const start = performance.now();
    const response = sandbox.order(TO);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await sandbox.ledger()).toHaveLength(1);
    await response;
    expect(performance.now() - start).toBeGreaterThan(145);
  });
});
