import { setTimeout as pause } from 'node:timers/promises';
import { LiveSandbox, Subscriber, until } from '../fixtures/live-sandbox';

describe('Special recipient numbers', () => {
  let sandbox: LiveSandbox;
  let subscriber: Subscriber;

  beforeEach(async () => {
    sandbox = await LiveSandbox.start({ stopDelayMs: 50 });
    subscriber = new Subscriber();
    await sandbox.subscribe(await subscriber.listen());
  });

  afterEach(async () => {
    await sandbox.close();
    await subscriber.close();
  });

  const accepted = async (to: string): Promise<string> => {
    const reply = await sandbox.order(to, { biz_opaque_callback_data: 'mine' });
    expect(reply.status).toBe(200);
    return String(reply.body.messages[0].id);
  };

  it('0001 is accepted and never has a status', async () => {
    const withoutStatus = await accepted('491511230001');
    const regular = await accepted('491511239999');
    await until(() => subscriber.statusNamesOf(regular).length === 2);
    expect(subscriber.statusNamesOf(withoutStatus)).toEqual([]);
    expect(await sandbox.ledger()).toHaveLength(2);
  });

  it('0002 is rejected immediately with 131026 and not in the ledger', async () => {
    const { status, body } = await sandbox.order('491511230002');
    expect([status, body.error.code]).toEqual([400, 131026]);
    expect(await sandbox.ledger()).toEqual([]);
  });

  it('0003 is accepted and fails later with 131026', async () => {
    const id = await accepted('491511230003');
    await until(() => subscriber.statusNamesOf(id).length > 0);
    expect(subscriber.statuses).toEqual([
      expect.objectContaining({ id, status: 'failed', errors: [expect.objectContaining({ code: 131026 })] }),
    ]);
  });

  it('0004 is throttled once for each number and then accepted', async () => {
    for (const to of ['491511230004', '491511240004']) {
      const first = await sandbox.order(to);
      expect([first.status, first.body.error.code]).toEqual([400, 130429]);
      await accepted(to);
      await accepted(to);
    }
    expect(await sandbox.ledger()).toHaveLength(4);
  });

  it('0005 is accepted and has statuses, but gets no response', async () => {
    const response = sandbox.order('491511230005').then(
      () => 'responded',
      () => 'connection closed',
    );
    await until(async () => (await sandbox.ledger()).length === 1);
    const [{ messageId }] = await sandbox.ledger();
    await until(() => subscriber.statusNamesOf(messageId).includes('delivered'));
    expect(await Promise.race([response, pause(100, 'pending')])).toBe('pending');
    await sandbox.close();
    expect(await response).toBe('connection closed');
  });

  it('0006 is accepted, and its connection is cut', async () => {
    await expect(sandbox.order('491511230006')).rejects.toThrow();
    const [{ messageId, to }] = await sandbox.ledger();
    expect(to).toBe('491511230006');
    await until(() => subscriber.statusNamesOf(messageId).includes('delivered'));
  });

  it('0005 and 0006 have no statuses if statusesForUnanswered is off', async () => {
    await sandbox.control('POST', 'config', { statusesForUnanswered: false });
    await expect(sandbox.order('491511230006')).rejects.toThrow();
    const regular = await accepted('491511239999');
    await until(() => subscriber.statusNamesOf(regular).length === 2);
    expect(subscriber.statuses.every(({ id }) => id === regular)).toBe(true);
  });

  it('0007 gets a 502 page and is not accepted', async () => {
    const { status, body, headers } = await sandbox.order('491511230007');
    expect(status).toBe(502);
    expect(headers.get('content-type')).toContain('text/html');
    expect(body).toContain('502 Bad Gateway');
    expect(await sandbox.ledger()).toEqual([]);
  });

  it('0008 fails with 131000 each time', async () => {
    for (let time = 0; time < 3; time++) {
      const { status, body } = await sandbox.order('491511230008');
      expect([status, body.error.code]).toEqual([500, 131000]);
    }
    expect(await sandbox.ledger()).toEqual([]);
  });

  it('0009 is delivered and replies STOP after the delay', async () => {
    const id = await accepted('491511230009');
    await until(() => subscriber.inbound.length > 0);
    const [stop] = subscriber.inbound;
    expect(stop).toMatchObject({ from: '491511230009', type: 'text', text: { body: 'STOP' } });
    expect(stop.id).toMatch(/^wamid\./);
    expect(subscriber.statusNamesOf(id).sort()).toEqual(['delivered', 'sent']);
  });

  it('all others are sent and delivered, and every third is read', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 6; count++) ids.push(await accepted(`49151123888${count}`));
    await until(() => subscriber.statuses.length === 14);
    expect(ids.map((id) => subscriber.statusNamesOf(id).includes('read'))).toEqual([
      false,
      false,
      true,
      false,
      false,
      true,
    ]);
    expect(ids.every((id) => subscriber.statusNamesOf(id).includes('delivered'))).toBe(true);
    expect(subscriber.statuses.every((status) => status.biz_opaque_callback_data === 'mine')).toBe(true);
  });

  it('apply after validation: an invalid message gets its own error', async () => {
    for (const suffix of ['0001', '0002', '0005', '0006', '0007', '0008']) {
      const { body } = await sandbox.template(`49151123${suffix}`, 'order_update', []);
      expect(body.error.code).toBe(132000);
    }
  });
});
