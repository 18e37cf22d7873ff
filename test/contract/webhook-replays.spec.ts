import { randomUUID } from 'node:crypto';
import { uuidV7 } from '../../src/kernel/uuid';
import type { DueRow } from '../../src/modules/events/domain/delivery-store.port';
import { attemptOf, describeWebhookStores, done, numbersOf, type WebhookBench } from '../support/webhook-stores';

describeWebhookStores('A replay of the events of an endpoint', (open) => {
  let bench: WebhookBench;

  beforeAll(async () => {
    bench = await open();
  });
  beforeEach(() => bench.begin());

  const finish = (id: string, rows: DueRow[]) => bench.deliveries.finish(rows.map((row) => done(row, id)));
  const since = () => new Date(Date.now() - 60_000);
  /** What the endpoint receives, in order, until nothing is due and no replay is running. */
  async function delivered(id: string): Promise<DueRow[]> {
    const all: DueRow[] = [];
    for (;;) {
      await bench.letStep();
      const stepped = await bench.deliveries.stepReplay(id);
      const rows = await bench.due(id);
      await finish(id, rows);
      all.push(...rows);
      if (!stepped && rows.length === 0) return all;
    }
  }

  it('delivers each event since a time again, once, regardless of earlier replays, and no test', async () => {
    const id = await bench.endpoint();
    for (const n of [1, 2, 3]) await bench.outbox.write([bench.event(n)]);
    const rows = await bench.due(id);
    for (const row of rows) {
      const failed = { ...attemptOf(row, id), status: 'Retrying' } as const;
      const attempts = [failed, { ...attemptOf(row, id), attempt: 2 }];
      await bench.deliveries.finish([{ id: row.id, endpointId: id, again: null, attempts, row }]);
    }
    const test = { ...attemptOf(rows[0]!, id), key: randomUUID(), attempt: 0 };
    await bench.deliveries.finish([{ id: '0', endpointId: id, again: null, attempts: [test], row: null }]);
    for (let time = 0; time < 2; time++) {
      expect(await bench.endpoints.startReplay(id, since(), 10)).toMatchObject({
        since: expect.any(Date),
        replayed: 0,
      });
      const again = await delivered(id);
      expect(again.map(({ key }) => key)).toEqual(rows.map(({ key }) => key));
    }
    await bench.endpoints.startReplay(id, new Date(Date.now() + 60_000), 10);
    expect(await delivered(id)).toEqual([]);
  });

  it.each([-300_000, 300_000])('uses the database clock, not that of a worker that is off by %i ms', async (ms) => {
    const id = await bench.endpoint();
    await bench.outbox.write([bench.event(1)]);
    const [row] = await bench.due(id);
    const at = new Date(Date.now() + ms);
    const attempts = [{ ...attemptOf(row!, id), id: uuidV7(at.getTime()), at }];
    await bench.deliveries.finish([{ id: row!.id, endpointId: id, again: null, attempts, row: row! }]);
    await bench.endpoints.startReplay(id, since(), 10);
    expect(numbersOf(await delivered(id))).toEqual([1]);
  });

  it('runs one at a time per endpoint, without a row before its first step', async () => {
    const [id, other] = [await bench.endpoint(), await bench.endpoint()];
    await bench.outbox.write([bench.event(1)]);
    await finish(id, await bench.due(id));
    await bench.endpoints.startReplay(id, since(), 10);
    expect(await bench.endpoints.startReplay(id, since(), 10)).toBeNull();
    expect(await bench.endpoints.startReplay(other, since(), 10)).not.toBeNull();
    expect(await bench.due(id)).toEqual([]);
    expect((await bench.endpoints.find(bench.accountId, id))?.replay).toMatchObject({ replayed: 0 });
    await delivered(id);
    expect((await bench.endpoints.find(bench.accountId, id))?.replay).toBeNull();
    expect(await bench.endpoints.startReplay(id, since(), 10)).not.toBeNull();
  });

  it('adds no more rows per second than its rate, and none while those wait', async () => {
    const id = await bench.endpoint();
    for (let n = 0; n < 7; n++) await bench.outbox.write([bench.event(n)]);
    await finish(id, await bench.due(id));
    await bench.endpoints.startReplay(id, since(), 3);
    const step = async (isLater = true) => {
      if (isLater) await bench.letStep();
      return bench.deliveries.stepReplay(id);
    };
    // Ordered events first.
    await step();
    await step();
    expect(await step(false)).toBe(false);
    expect(await bench.due(id)).toHaveLength(3);
    expect(await step()).toBe(false);
    await finish(id, await bench.due(id));
    await step();
    expect((await bench.endpoints.find(bench.accountId, id))?.replay).toMatchObject({ replayed: 6 });
    expect(await delivered(id)).toHaveLength(4);
  });

  it('delivers the events of a job in order, and waiting ones after them', async () => {
    const id = await bench.endpoint();
    const jobId = randomUUID();
    await bench.outbox.write([bench.event(0)]);
    for (const n of [1, 2, 3, 4]) {
      await bench.addOrdered(jobId, n);
      await finish(id, await bench.due(id));
    }
    await bench.addOrdered(jobId, 5);
    const [waiting] = (await bench.due(id)) as [DueRow];
    const again = { remaining: [0], attempt: 1, afterMs: 0 };
    const attempts = [{ ...attemptOf(waiting, id), status: 'Retrying' as const }];
    await bench.deliveries.finish([{ ...done(waiting, id), again, attempts }]);
    await bench.addOrdered(jobId, 6);
    await bench.endpoints.startReplay(id, since(), 2);
    // Although one is due and the replay has not started.
    expect(await bench.due(id)).toEqual([]);
    const sent = await delivered(id);
    expect(numbersOf(sent).filter((n) => n > 0)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(sent.map(({ orderKey }) => orderKey))).toEqual(new Set([jobId, null]));
    expect(sent.filter(({ orderKey }) => orderKey === null)).toHaveLength(1);
  });

  it('delivers an event of a job in order after a replay of its events, beside other jobs', async () => {
    const id = await bench.endpoint();
    const [other, jobId] = [randomUUID(), randomUUID()].sort() as [string, string];
    for (const n of [1, 2]) await bench.addOrdered(jobId, n);
    const [first] = (await bench.due(id)) as [DueRow];
    const logged = done(first, id);
    await bench.deliveries.finish([logged]);
    await finish(id, await bench.due(id));
    // Alone, while a later one waits.
    await bench.addOrdered(jobId, 3);
    await bench.addOrdered(other, 9);
    expect(await bench.endpoints.replay(logged.attempts[0]!.id)).toBe(true);
    expect(await bench.endpoints.replay(logged.attempts[0]!.id)).toBe(true);
    const ofJob = (rows: DueRow[]) => numbersOf(rows.filter(({ orderKey }) => orderKey === jobId));
    expect(ofJob(await delivered(id))).toEqual([1, 3]);
    await bench.endpoints.startReplay(id, since(), 10);
    expect(ofJob(await delivered(id))).toEqual([1, 2, 3]);
  });

  it('delivers no waiting event twice', async () => {
    const id = await bench.endpoint();
    await bench.outbox.write([bench.event(1), bench.event(2)]);
    const [row] = (await bench.due(id)) as [DueRow];
    const attempts = [attemptOf(row, id), { ...attemptOf(row, id, 1), status: 'Retrying' as const }];
    const again = { remaining: [1], attempt: 1, afterMs: 0 };
    await bench.deliveries.finish([{ id: row.id, endpointId: id, again, attempts, row }]);
    expect(await bench.endpoints.replay(attempts[1]!.id)).toBe(true);
    await bench.endpoints.startReplay(id, since(), 10);
    expect((await delivered(id)).map(({ key, firstBody, remaining }) => [key, firstBody, remaining])).toEqual([
      [row.key, 0, [1]],
      [row.key, 0, null],
    ]);
  });

  it('delivers a body again although another one of its commit still waits', async () => {
    const id = await bench.endpoint();
    await bench.outbox.write([bench.event(1), bench.event(2)]);
    const [row] = (await bench.due(id)) as [DueRow];
    const again = { remaining: [1], attempt: 1, afterMs: 60_000 };
    const result = { ...done(row, id), again };
    await bench.deliveries.finish([result]);
    expect(await bench.endpoints.replay(result.attempts[0]!.id)).toBe(true);
    expect(numbersOf(await bench.due(id))).toEqual([1]);
  });

  it("starts at a database time, regardless of the delivering process's clock", async () => {
    const id = await bench.endpoint();
    for (const n of [1, 2]) {
      await bench.outbox.write([bench.event(n)]);
      const [row] = (await bench.due(id)) as [DueRow];
      const skewMs = n === 1 ? 300_000 : -300_000;
      const at = new Date(Date.now() + skewMs);
      await bench.deliveries.finish([
        { ...done(row, id), attempts: [{ ...attemptOf(row, id), at, id: uuidV7(at.getTime()) }] },
      ]);
      if (n === 1) await bench.ageLog(row.key, 60_000);
    }
    await bench.endpoints.startReplay(id, new Date(Date.now() - 30_000), 10);
    expect(numbersOf(await delivered(id))).toEqual([2]);
  });

  it('repeats events delivered between its request and its first step', async () => {
    const id = await bench.endpoint();
    await bench.outbox.write([bench.event(1)]);
    const rows = await bench.due(id);
    await bench.endpoints.startReplay(id, since(), 10);
    await finish(id, rows);
    expect(numbersOf(await delivered(id))).toEqual([1]);
  });
});
