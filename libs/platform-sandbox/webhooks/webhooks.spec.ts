import { setTimeout as pause } from 'node:timers/promises';
import failed from '../fixtures/webhook-status-failed-131026.json';
import inboundText from '../fixtures/webhook-inbound-text.json';
import paused from '../fixtures/webhook-template-status-paused.json';
import sent from '../fixtures/webhook-status-sent.json';
import { column, LiveSandbox, structureOf, Subscriber, until, type Json } from '../fixtures/live-sandbox';

const ACCOUNT = '204876543210002';
const OTHER_NUMBER = '109876543210009';
const OTHER_ACCOUNT = '204876543210009';

describe('Webhooks', () => {
  let sandbox: LiveSandbox;
  let subscriber: Subscriber;
  let address: string;
  const set = (change: object) => sandbox.control('POST', 'config', change);
  const webhookStats = async (): Promise<Json> => (await sandbox.control('GET', 'stats')).body.webhooks;

  beforeEach(async () => {
    sandbox = await LiveSandbox.start({ webhookRetryMs: 10 });
    subscriber = new Subscriber();
    address = await subscriber.listen();
  });
  afterEach(async () => {
    await sandbox.close();
    await subscriber.close();
  });

  it('are sent only while subscribed', async () => {
    await sandbox.order('491511239998');
    await until(async () => (await webhookStats()).statusesWaiting === 0);
    await sandbox.subscribe(address);
    await sandbox.call('DELETE', `/v25.0/${ACCOUNT}/subscribed_apps`);
    await sandbox.order('491511239998');
    await until(async () => (await webhookStats()).statusesWaiting === 0);
    await pause(50);
    expect([subscriber.bodies, (await webhookStats()).posted]).toEqual([[], 0]);
  });

  it('contain statuses and inbound messages in the recorded structure, signed', async () => {
    await set({ webhookConcurrency: 1 });
    await sandbox.subscribe(address);
    await sandbox.order('4915112345678', { biz_opaque_callback_data: 'job=8f2c;row=412;attempt=1' });
    await until(() => subscriber.statuses.length === 2);
    expect(structureOf(subscriber.bodies[0])).toEqual(structureOf(sent));
    expect(column(subscriber.statuses, 'status').sort()).toEqual(['delivered', 'sent']);
    expect(subscriber.changes[0]?.value.metadata).toEqual(sent.entry[0]?.changes[0]?.value.metadata);

    await sandbox.order('4915100000003', { biz_opaque_callback_data: 'job' });
    await until(() => subscriber.statuses.length === 3);
    expect(structureOf(subscriber.bodies.at(-1))).toEqual(structureOf(failed));

    await sandbox.control('POST', 'inbound', { from: '+4915112345678', text: 'Wann kommt das Paket? ä' });
    await until(() => subscriber.inbound.length === 1);
    expect(structureOf(subscriber.bodies.at(-1))).toEqual(structureOf(inboundText));
    expect(subscriber.raw.at(-1)).toContain('\\u00e4');
    expect(subscriber.badSignatures).toBe(0);
  });

  it('can contain any type of inbound message, a reply, or a person without a number', async () => {
    await sandbox.subscribe(address);
    const content = { payload: 'STOP_NEWS', text: 'Stop' };
    const request = { from: '4915112345678', type: 'button', content, contextMessageId: 'wamid.X', omitPhone: true };
    const { messageId } = (await sandbox.control('POST', 'inbound', request)).body;
    await until(() => subscriber.bodies.length === 1);
    const { messages, contacts } = subscriber.changes[0]?.value ?? {};
    expect(messages).toEqual([
      {
        id: messageId,
        from_user_id: contacts[0].user_id,
        timestamp: expect.any(String),
        type: 'button',
        button: content,
        context: { from: '4930900000001', id: 'wamid.X' },
      },
    ]);
    expect(contacts[0].wa_id).toBeUndefined();
  });

  it('are batched up to the configured number of statuses per body', async () => {
    await sandbox.subscribe(address);
    await set({ statusDelayMs: 100, statusesPerBody: 4, webhookConcurrency: 1 });
    subscriber.delayMs = 20;
    await Promise.all(Array.from({ length: 30 }, (_, index) => sandbox.order(`4915112888${10 + index}`)));
    await until(() => subscriber.statuses.length === 70);
    const sizes = subscriber.changes.map(({ value }) => Number(value.statuses.length));
    expect(Math.max(...sizes)).toBe(4);
    expect(sizes.length).toBeLessThan(35);
  });

  it('are retried until they get 200, and deliver each status once', async () => {
    await sandbox.subscribe(address);
    subscriber.statusCodes = [500, 503, 404];
    await sandbox.order('491511239998');
    await until(() => subscriber.statuses.length === 2);
    await pause(50);
    expect(subscriber.statuses).toHaveLength(2);
    expect((await webhookStats()).retried).toBe(3);
  });

  it('are dropped after the configured attempts', async () => {
    await sandbox.subscribe(address);
    await set({ webhookAttempts: 2 });
    subscriber.statusCodes = Array.from({ length: 8 }, () => 500);
    await sandbox.order('491511239998');
    await until(async () => (await webhookStats()).dropped === 2);
    expect((await webhookStats()).posted).toBe(4);
  });

  it('are delivered once an unavailable subscriber is back, even at a new URL', async () => {
    await sandbox.subscribe(address);
    await set({ webhookConcurrency: 2, webhookRetryMs: 50 });
    await subscriber.close();
    await Promise.all(Array.from({ length: 20 }, (_, index) => sandbox.order(`4915112888${10 + index}`)));
    await pause(100);
    const back = new Subscriber();
    await sandbox.subscribe(await back.listen());
    await until(() => back.statuses.length === 46);
    await back.close();
  });

  it('can be lost, duplicated and delayed by configured faults', async () => {
    await sandbox.subscribe(address);
    await set({ faults: { statusLost: 1 } });
    await sandbox.order('491511239998');
    await until(async () => (await webhookStats()).statusesWaiting === 0);
    expect(subscriber.statuses).toHaveLength(0);

    await set({ faults: { statusLost: 0, statusDuplicated: 1 } });
    const doubled = (await sandbox.order('491511239997')).body.messages[0].id;
    await until(() => subscriber.statuses.length === 4);
    expect(subscriber.statusNamesOf(doubled).sort()).toEqual(['delivered', 'delivered', 'sent', 'sent']);

    await set({ seed: 3, faults: { statusDuplicated: 0, statusReordered: 0.5 } });
    const ids: string[] = [];
    for (let count = 0; count < 20; count++)
      ids.push((await sandbox.order(`4915112888${10 + count}`)).body.messages[0].id);
    await until(() =>
      ids.every(
        (id) => subscriber.statusNamesOf(id).includes('sent') && subscriber.statusNamesOf(id).includes('delivered'),
      ),
    );
    expect(ids.some((id) => subscriber.statusNamesOf(id)[0] === 'delivered')).toBe(true);
  });

  it('can report a later failure with any code', async () => {
    await sandbox.subscribe(address);
    await set({ faults: { failLater: { 131049: 1 } } });
    await sandbox.order('491511239998');
    await until(() => subscriber.statuses.length === 1);
    expect(subscriber.statuses[0]).toMatchObject({ status: 'failed', errors: [{ code: 131049 }] });
  });

  it('include no statuses if these are off', async () => {
    await sandbox.subscribe(address);
    await set({ statuses: false });
    await sandbox.order('491511239998');
    await pause(60);
    expect(subscriber.bodies).toEqual([]);
  });

  it('of the account go to the app only, for its subscribed fields', async () => {
    await sandbox.subscribe(address);
    const event = (field: string) => sandbox.control('POST', 'webhooks', { field, value: {} });
    expect((await event('account_update')).body.sent).toBe(false);
    await sandbox.subscribeApp(address, ['security']);
    expect((await event('account_update')).body.sent).toBe(false);
    expect((await event('security')).body.sent).toBe(true);
    await until(() => subscriber.changes.length === 1);
    expect(subscriber.changes).toEqual([{ field: 'security', value: {} }]);
  });

  it('report a template change in the recorded structure', async () => {
    await sandbox.subscribe(address);
    await sandbox.subscribeApp(address);
    const otherInfo = { title: 'FIRST_PAUSE', description: 'Paused for low quality.' };
    await sandbox.control('POST', 'templates', { name: 'order_update', status: 'PAUSED', otherInfo });
    await until(() => subscriber.bodies.length === 1);
    expect(structureOf(subscriber.bodies[0])).toEqual(structureOf(paused));
    expect((await sandbox.order('491511239998')).body.error.code).toBe(132015);

    await sandbox.control('POST', 'templates', { name: 'order_update', quality: 'RED', category: 'MARKETING' });
    await until(() => subscriber.bodies.length === 3);
    const changes = new Map(subscriber.changes.map(({ field, value }) => [field, value]));
    expect(changes.get('message_template_quality_update')).toMatchObject({
      previous_quality_score: 'GREEN',
      new_quality_score: 'RED',
    });
    expect(changes.get('template_category_update')).toMatchObject({
      previous_category: 'UTILITY',
      new_category: 'MARKETING',
    });
  });

  it('can contain any event', async () => {
    await sandbox.subscribe(address);
    await sandbox.subscribeApp(address);
    const value = { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } };
    expect((await sandbox.control('POST', 'webhooks', { field: 'account_update', value })).body.sent).toBe(true);
    await sandbox.control('POST', 'webhooks', {
      field: 'messages',
      value: { statuses: [{ id: 'x', status: 'played' }] },
    });
    await until(() => subscriber.changes.length === 2);
    const changes = new Map(subscriber.changes.map((change) => [change.field, change.value]));
    expect(changes.get('account_update')).toEqual(value);
    expect(changes.get('messages')).toMatchObject({ messaging_product: 'whatsapp', statuses: [{ status: 'played' }] });
  });

  it('of another business account are signed with its secret and go to its own URL', async () => {
    await sandbox.subscribe(address);
    const senders = [{ phoneNumberId: OTHER_NUMBER, businessAccountId: OTHER_ACCOUNT, appSecret: 'another-secret' }];
    await set({ senders });
    const other = new Subscriber('another-secret');
    await sandbox.subscribe(await other.listen(), OTHER_ACCOUNT);
    const hello = {
      to: '491511239998',
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    };
    await sandbox.message(hello, OTHER_NUMBER);
    await sandbox.order('491511239997');
    await until(() => other.statuses.length === 2 && subscriber.statuses.length === 2);
    expect([other.badSignatures, subscriber.badSignatures]).toEqual([0, 0]);
    expect(other.bodies[0].entry[0].id).toBe(OTHER_ACCOUNT);
    expect(other.changes[0]?.value.metadata.phone_number_id).toBe(OTHER_NUMBER);
    await other.close();
  });
});
