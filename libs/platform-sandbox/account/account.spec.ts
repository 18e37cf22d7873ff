import { createHmac } from 'node:crypto';
import phoneNumber from '../fixtures/phone-number-response.json';
import tokenError from '../fixtures/error-token-190.json';
import unknownObject from '../fixtures/error-unknown-object-100.json';
import { LiveSandbox, structureOf, Subscriber } from '../fixtures/live-sandbox';

const NUMBER = '109876543210001';
const ACCOUNT = '204876543210002';
const APP = '300000000000001';
const SECRET = 'sandbox-app-secret';

describe('Accounts, numbers and tokens', () => {
  let sandbox: LiveSandbox;

  beforeEach(async () => {
    sandbox = await LiveSandbox.start();
  });
  afterEach(() => sandbox.close());

  it('a wrong token is rejected with the recorded error, a missing one with 104', async () => {
    const { status, body } = await sandbox.call('GET', `/v25.0/${NUMBER}`, undefined, 'wrong');
    expect([status, { ...body.error, fbtrace_id: '' }]).toEqual([401, { ...tokenError.body.error, fbtrace_id: '' }]);
    const bare = await fetch(`${sandbox.url}/v25.0/${NUMBER}`);
    expect([bare.status, await bare.json()]).toMatchObject([401, { error: { code: 104 } }]);
  });

  it('a token is also accepted as OAuth header and as query parameter', async () => {
    const headers = { authorization: 'OAuth sandbox-access-token' };
    expect((await fetch(`${sandbox.url}/v25.0/${NUMBER}`, { headers })).status).toBe(200);
    expect((await fetch(`${sandbox.url}/v25.0/${NUMBER}?access_token=sandbox-access-token`)).status).toBe(200);
  });

  it('an unknown id is rejected in the recorded structure, on every path', async () => {
    for (const [method, path] of [
      ['GET', '999'],
      ['POST', '999999/messages'],
      ['GET', '999999/message_templates'],
      ['DELETE', '999999'],
    ] as const) {
      const { status, body } = await sandbox.call(method, `/v25.0/${path}`, method === 'POST' ? {} : undefined);
      expect([path, status, structureOf(body)]).toEqual([path, 400, structureOf(unknownObject.body)]);
      expect(body.error).toMatchObject({ code: 100, error_subcode: 33 });
    }
  });

  it('paths work with any version and without one', async () => {
    for (const version of ['/v21.0', '/v26.0', '']) {
      expect((await sandbox.call('GET', `${version}/${NUMBER}`)).body.id).toBe(NUMBER);
    }
  });

  it('a number returns every recorded field with its type, on request', async () => {
    const fields = Object.keys(phoneNumber.body).join(',');
    const { body } = await sandbox.call('GET', `/v25.0/${NUMBER}?fields=${fields}`);
    const recorded = structureOf(phoneNumber.body) as object;
    expect(structureOf(body)).toEqual({ ...recorded, webhook_configuration: {} });
    expect(body.display_phone_number).toBe('+49 30 900000001');
    expect((await sandbox.call('GET', `/v25.0/${NUMBER}?fields=shoe_size`)).body.error.code).toBe(100);
  });

  it('a number has its registered throughput level and messaging limit tier', async () => {
    const fields = 'throughput,messaging_limit_tier,whatsapp_business_manager_messaging_limit';
    const shown = async (): Promise<object> =>
      (await sandbox.call('GET', `/v25.0/${NUMBER}?fields=${fields}`)).body as object;
    const both = (tier: string) => ({ messaging_limit_tier: tier, whatsapp_business_manager_messaging_limit: tier });
    expect(await shown()).toMatchObject({ throughput: { level: 'STANDARD' }, ...both('TIER_UNLIMITED') });
    const limits = { messagesPerSecond: 1000, messagingLimitTier: 'TIER_2K' };
    await sandbox.call('POST', '/sandbox/config', {
      senders: [{ phoneNumberId: NUMBER, businessAccountId: ACCOUNT, ...limits }],
    });
    expect(await shown()).toMatchObject({ throughput: { level: 'HIGH' }, ...both('TIER_2K') });
  });

  it('a business account lists its numbers and its health', async () => {
    const numbers = (await sandbox.call('GET', `/v25.0/${ACCOUNT}/phone_numbers?fields=display_phone_number`)).body;
    expect(numbers.data).toEqual([{ display_phone_number: '+49 30 900000001', id: NUMBER }]);
    const { body } = await sandbox.call('GET', `/v25.0/${ACCOUNT}?fields=name,health_status`);
    expect(body).toMatchObject({ id: ACCOUNT, health_status: { can_send_message: 'AVAILABLE' } });
  });

  it('a token can be inspected', async () => {
    const inspect = async (token: string): Promise<unknown> =>
      (await sandbox.call('GET', `/v25.0/debug_token?input_token=${token}`)).body.data;
    expect(await inspect('sandbox-access-token')).toMatchObject({ is_valid: true, app_id: APP });
    expect(await inspect('wrong')).toMatchObject({ is_valid: false });
  });

  it('a call may include an app secret proof, and must if configured', async () => {
    const sender = { phoneNumberId: '109876543210008', businessAccountId: '204876543210008', accessToken: 'third' };
    await sandbox.control('POST', 'config', { senders: [{ ...sender, appSecret: 'its own' }] });
    const read = async (token: string, secret?: string): Promise<string | number> => {
      const proof = secret && createHmac('sha256', secret).update(token).digest('hex');
      const { status, body } = await sandbox.call(
        'GET',
        `/v25.0/${sender.phoneNumberId}${proof ? `?appsecret_proof=${proof}` : ''}`,
        undefined,
        token,
      );
      return status === 200 ? status : (body.error.message as string);
    };
    const wrong = 'Invalid appsecret_proof provided in the API argument';
    expect([await read('third'), await read('third', 'its own'), await read('third', 'another')]).toEqual([
      200,
      200,
      wrong,
    ]);
    expect(await read('sandbox-access-token', 'its own')).toBe(200);
    expect(await read('sandbox-access-token', 'another')).toBe(wrong);
    await sandbox.control('POST', 'config', { requireAppSecretProof: true });
    expect(await read('third')).toMatch(/require an appsecret_proof/);
    expect(await read('third', 'its own')).toBe(200);
  });

  it('a registered sender can send, with templates of its own account, and its token has no other access', async () => {
    const sender = { phoneNumberId: '109876543210009', businessAccountId: '204876543210009', accessToken: 'second' };
    await sandbox.control('POST', 'config', { senders: [sender] });
    const hello = {
      messaging_product: 'whatsapp',
      to: '491511239998',
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    };
    const send = (number: string) => sandbox.call('POST', `/v25.0/${number}/messages`, hello, 'second');
    expect((await send('109876543210009')).status).toBe(200);
    expect((await send(NUMBER)).body.error).toMatchObject({ code: 100, error_subcode: 33 });
    expect((await sandbox.ledger())[0].phoneNumberId).toBe('109876543210009');
    await sandbox.call('DELETE', '/v25.0/204876543210009/message_templates?name=hello_world', undefined, 'second');
    expect((await send('109876543210009')).status).toBe(404);
    expect((await sandbox.message(hello)).status).toBe(200);
  });

  it('unknown ids become senders and accounts if configured; a new number joins the newest account without one', async () => {
    await sandbox.control('POST', 'config', { autoCreateSenders: true });
    const templates = await sandbox.call('GET', '/v25.0/555000111222/message_templates?name=order_update');
    expect(templates.body.data).toHaveLength(1);
    const hello = {
      to: '491511239998',
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    };
    expect((await sandbox.message(hello, '555000111333')).status).toBe(200);
    const { senders } = (await sandbox.control('GET', '')).body;
    expect(senders[1]).toMatchObject({ phoneNumberId: '555000111333', businessAccountId: '555000111222' });
    expect((await sandbox.call('GET', '/v25.0/555000111444')).body.error.code).toBe(100);
    const read = await sandbox.call('GET', '/v25.0/555000111444?fields=throughput');
    expect(read.body).toEqual({ id: '555000111444', throughput: { level: 'STANDARD' } });
    expect((await sandbox.control('GET', '')).body.senders).toHaveLength(2);
  });

  describe('subscriptions', () => {
    let subscriber: Subscriber;
    let address: string;
    beforeEach(async () => {
      subscriber = new Subscriber();
      address = await subscriber.listen();
    });
    afterEach(() => subscriber.close());

    it('are verified first and then listed', async () => {
      expect((await sandbox.subscribe(address)).body).toEqual({ success: true });
      expect(subscriber.verifications).toBe(1);
      const { body } = await sandbox.call('GET', `/v25.0/${ACCOUNT}/subscribed_apps`);
      expect(body.data).toEqual([
        { whatsapp_business_api_data: expect.objectContaining({ id: APP }), override_callback_uri: address },
      ]);
    });

    it('are rejected if the verification fails', async () => {
      const path = `/v25.0/${ACCOUNT}/subscribed_apps`;
      const wrongToken = { override_callback_uri: address, verify_token: 'not mine' };
      const unreachable = { override_callback_uri: 'http://127.0.0.1:1/', verify_token: 'mine' };
      for (const input of [wrongToken, unreachable]) {
        expect((await sandbox.call('POST', path, input)).body.error.code).toBe(2200);
      }
      expect((await sandbox.call('POST', path, { override_callback_uri: address })).body.error.code).toBe(100);
      expect((await sandbox.call('GET', path)).body.data).toEqual([]);
    });

    it('of the app need its own token and known fields, and are merged', async () => {
      const path = `/v25.0/${APP}/subscriptions`;
      const token = `${APP}|${SECRET}`;
      expect((await sandbox.call('GET', path)).body.error.code).toBe(15);
      expect((await sandbox.call('GET', path, undefined, token)).body).toEqual({ data: [] });
      for (const fields of [[], ['weather']]) {
        expect((await sandbox.subscribeApp(address, fields)).body.error.code).toBe(100);
      }
      await sandbox.subscribeApp(address, ['security']);
      await sandbox.subscribeApp(address, ['user_preferences']);
      const [subscription] = (await sandbox.call('GET', path, undefined, token)).body.data;
      const fields = ['security', 'user_preferences'].map((name) => ({ name, version: 'v25.0' }));
      expect(subscription).toEqual({
        object: 'whatsapp_business_account',
        callback_url: address,
        active: true,
        fields,
      });
    });

    it('of a number take precedence over those of the account, and these over those of the app', async () => {
      const addresses = async (): Promise<unknown> => (await sandbox.control('GET', '')).body.senders[0].webhook;
      await sandbox.subscribeApp(`${address}/app`);
      expect(await addresses()).toBe(`${address}/app`);
      await sandbox.subscribe(`${address}/account`);
      expect(await addresses()).toBe(`${address}/account`);
      const configuration = { override_callback_uri: `${address}/number`, verify_token: 'mine' };
      await sandbox.call('POST', `/v25.0/${NUMBER}`, { webhook_configuration: configuration });
      expect(await addresses()).toBe(`${address}/number`);
      await sandbox.call('POST', `/v25.0/${NUMBER}`, { webhook_configuration: { override_callback_uri: '' } });
      expect(await addresses()).toBe(`${address}/account`);
    });
  });
});
