import { randomUUID } from 'node:crypto';
import { uuidV7 } from '../../src/kernel/uuid';
import type { DueRow, RowResult } from '../../src/modules/events/domain/delivery-store.port';
import type { AccountEvent, EventType } from '../../src/modules/events/domain/event';
import { attemptOf, describeWebhookStores, done, numbersOf, type WebhookBench } from '../support/webhook-stores';

const LEASE_MS = 60_000;
const PLACES = { room: 10, perAccount: 10, held: new Map<string, number>() };

describeWebhookStores('The stores that deliver to webhook endpoints', (open) => {
  let bench: WebhookBench;
  let owner: string;

  beforeAll(async () => {
    bench = await open();
  });
  beforeEach(async () => {
    owner = randomUUID();
    await bench.begin();
  });

  it('store one row per endpoint and commit, with its subscribed events, in bodies of its size', async () => {
    const one = await bench.endpoint(['job.completed', 'message.sent']);
    const other = await bench.endpoint(['job.completed'], 2);
    await bench.endpoint(['contact.opted_in']);
    await bench.outbox.write([bench.event(1), bench.event(2, 'message.sent'), bench.event(3), bench.event(4)]);
    const rowsOf = async (id: string) =>
      (await bench.due(id, [], 10)).map(({ payload }) =>
        payload.split('\n').map((body) => JSON.parse(body) as { events?: { data: object }[]; data: object }),
      );
    expect((await rowsOf(one)).map((bodies) => bodies.map(({ data }) => data))).toEqual([
      [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }],
    ]);
    expect((await rowsOf(other)).map((bodies) => bodies.map(({ events }) => events?.map(({ data }) => data)))).toEqual([
      [[{ n: 1 }, { n: 3 }], [{ n: 4 }]],
    ]);
    expect(await bench.waiting()).toHaveLength(2);
  });

  it('lease an endpoint to one process at a time, and only while something is due', async () => {
    const id = await bench.endpoint();
    expect(await bench.deliveries.lease(owner, LEASE_MS, PLACES)).toEqual([]);
    await bench.outbox.write([bench.event(1)]);
    const leased = await bench.deliveries.lease(owner, LEASE_MS, PLACES);
    expect(leased).toEqual([
      {
        ...{ id, accountId: bench.accountId, url: 'https://example.com/hook', secrets: ['whsec_MQ=='] },
        ...{ failuresInRow: 0, failingSince: null, replay: null },
      },
    ]);
    const other = randomUUID();
    expect(await bench.deliveries.lease(other, LEASE_MS, PLACES)).toEqual([]);
    expect(await bench.deliveries.renew(other, [id], LEASE_MS)).toEqual([]);
    expect(await bench.deliveries.renew(owner, [id], LEASE_MS)).toEqual(leased);
    await bench.deliveries.release(other, id, 0);
    expect(await bench.deliveries.lease(other, LEASE_MS, PLACES)).toEqual([]);
    await bench.deliveries.release(owner, id, 0);
    expect(await bench.deliveries.lease(other, LEASE_MS, PLACES)).toEqual(leased);
  });

  it('let a released endpoint rest for the given time', async () => {
    const id = await bench.endpoint();
    await bench.outbox.write([bench.event(1)]);
    await bench.deliveries.lease(owner, LEASE_MS, PLACES);
    await bench.deliveries.release(owner, id, 60_000);
    expect(await bench.deliveries.lease(owner, LEASE_MS, PLACES)).toEqual([]);
  });

  it('serve accounts in turn, and none beyond its limit', async () => {
    const ofAccounts = [bench.accountId, uuidV7(), uuidV7()];
    const fields = { url: 'https://example.com', events: ['job.completed' as const], maxEvents: 1 };
    for (const [n, account] of ofAccounts.entries()) {
      if (n > 0) await bench.addAccount(account);
      for (let count = 0; count < 4; count++) {
        await bench.endpoints.add({ id: uuidV7(), accountId: account, ...fields }, 'whsec_MQ==', 100);
      }
      await bench.outbox.write([{ ...bench.event(n), accountId: account }]);
    }
    const taken = async (room: number, held: [string, number][] = []) => {
      const leased = await bench.deliveries.lease(owner, LEASE_MS, { room, perAccount: 3, held: new Map(held) });
      const counts = ofAccounts.map((account) => leased.filter((one) => one.accountId === account).length);
      for (const { id } of leased) await bench.deliveries.release(owner, id, 0);
      return counts;
    };
    expect(await taken(3)).toEqual([1, 1, 1]);
    expect(await taken(2, [[bench.accountId, 1]])).toEqual([0, 1, 1]);
    expect(await taken(100)).toEqual([3, 3, 3]);
    expect(
      await taken(100, [
        [bench.accountId, 2],
        [ofAccounts[1]!, 3],
      ]),
    ).toEqual([1, 0, 3]);
  });

  it('give an expired lease to another process', async () => {
    await bench.endpoint();
    await bench.outbox.write([bench.event(1)]);
    await bench.deliveries.lease(owner, -1, PLACES);
    expect(await bench.deliveries.lease(randomUUID(), LEASE_MS, PLACES)).toHaveLength(1);
  });

  it('find due rows except leased ones, up to the byte limit', async () => {
    const id = await bench.endpoint();
    for (const n of [1, 2, 3]) await bench.outbox.write([bench.event(n)]);
    const all = await bench.due(id, [], 10);
    expect(numbersOf(all)).toEqual([1, 2, 3]);
    expect((await bench.due(id, [all[0]!.id], 10)).map((row) => row.id)).toEqual([all[1]!.id, all[2]!.id]);
    expect(await bench.due(id, [], 2)).toHaveLength(2);
    const large = { ...bench.event(4), data: { text: 'x'.repeat(400_000) } as object } as AccountEvent;
    for (let n = 0; n < 3; n++) await bench.outbox.write([large]);
    expect(await bench.due(id, [], 10)).toHaveLength(5);
  });

  it('deliver rows with the same order key one after the other', async () => {
    const id = await bench.endpoint();
    const key = randomUUID();
    for (const n of [1, 2]) await bench.addOrdered(key, n);
    await bench.addOrdered(randomUUID(), 3);
    const first = await bench.due(id, [], 10);
    expect(numbersOf(first)).toEqual([1, 3]);
    expect(numbersOf(await bench.due(id, [first[0]!.id], 10))).toEqual([3]);
    expect(first[0]).toMatchObject({ orderKey: key });
    expect(JSON.parse(first[0]!.payload)).toEqual({
      type: 'job.completed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: expect.any(Object),
    });
    // A row waiting for its next attempt holds back later ones.
    const again = { remaining: [0], attempt: 1, afterMs: 60_000 };
    await bench.deliveries.finish([{ ...done(first[0]!, id), again }, done(first[1]!, id)]);
    expect(await bench.due(id, [], 10)).toEqual([]);
    await bench.deliveries.finish([done(first[0]!, id)]);
    expect(numbersOf(await bench.due(id, [], 10))).toEqual([2]);
  });

  it('delete delivered rows, keep the rest for later, and log both in one statement', async () => {
    const id = await bench.endpoint();
    await bench.outbox.write([bench.event(1), bench.event(2), bench.event(3)]);
    await bench.outbox.write([bench.event(4)]);
    const [many, single] = (await bench.due(id, [], 10)) as [DueRow, DueRow];
    const retrying = { status: 'Retrying', httpStatus: 500, error: 'HTTP 500', nextAttemptAt: new Date() } as const;
    await bench.deliveries.finish([
      {
        ...{ id: many.id, endpointId: id, again: { remaining: [1, 2], attempt: 1, afterMs: 0 }, row: many },
        attempts: [attemptOf(many, id), { ...attemptOf(many, id, 1), ...retrying }],
      },
      done(single, id),
    ]);
    expect(await bench.due(id, [], 10)).toEqual([{ ...many, remaining: [1, 2], attempt: 1 }]);
    const { items, nextCursor } = await bench.endpoints.deliveries(id, { limit: 2 });
    expect(items.map(({ status, payload }) => [status, (JSON.parse(payload!) as { data: object }).data])).toEqual([
      ['Delivered', { n: 4 }],
      ['Retrying', { n: 2 }],
    ]);
    expect(items[1]).toMatchObject({ ...retrying, key: many.key, body: 1, attempt: 1, events: ['job.completed'] });
    const rest = await bench.endpoints.deliveries(id, { limit: 2, cursor: nextCursor! });
    expect(rest).toMatchObject({ items: [{ body: 0, key: many.key }], nextCursor: null });
  });

  it('accept the same results twice, as after a lost response', async () => {
    const id = await bench.endpoint();
    await bench.outbox.write([bench.event(1), bench.event(2)]);
    await bench.outbox.write([bench.event(3)]);
    const [many, single] = (await bench.due(id)) as [DueRow, DueRow];
    const again = { remaining: [1], attempt: 1, afterMs: 0 };
    const results = [{ ...done(many, id), again }, done(single, id)];
    await bench.deliveries.finish(results);
    await bench.deliveries.finish(results);
    expect(await bench.due(id)).toEqual([{ ...many, remaining: [1], attempt: 1 }]);
    const { items } = await bench.endpoints.deliveries(id, { limit: 10 });
    expect(items.map(({ key }) => key).sort()).toEqual([many.key, single.key].sort());
    expect(items.every(({ payload }) => payload !== null)).toBe(true);
  });

  it('ignore a late result after a newer attempt', async () => {
    const id = await bench.endpoint();
    await bench.outbox.write([bench.event(1), bench.event(2)]);
    const [row] = (await bench.due(id)) as [DueRow];
    const result = (attempt: number, remaining: number[]): RowResult => {
      return { ...done(row, id), again: { remaining, attempt, afterMs: 0 } };
    };
    await bench.deliveries.finish([result(2, [1])]);
    await bench.deliveries.finish([result(1, [0, 1])]);
    expect(await bench.due(id)).toMatchObject([{ attempt: 2, remaining: [1] }]);
  });

  it('record consecutive failures and since when, and block the endpoint for a while', async () => {
    const id = await bench.endpoint();
    await bench.outbox.write([bench.event(1)]);
    const since = await bench.deliveries.failed(id, 1, 0);
    expect(await bench.deliveries.failed(id, 5, 60_000)).toEqual(since);
    expect(await bench.deliveries.lease(owner, LEASE_MS, PLACES)).toEqual([]);
    expect((await bench.endpoints.find(bench.accountId, id))?.failingSince).toEqual(since);
    await bench.deliveries.failed(id, 9, 0);
    const failing = { failuresInRow: 9, failingSince: since };
    expect(await bench.deliveries.lease(owner, LEASE_MS, PLACES)).toMatchObject([failing]);
    await bench.deliveries.failed(id, 10, 60_000);
    await bench.deliveries.release(owner, id, 0);
    await bench.deliveries.succeeded(id);
    expect(await bench.deliveries.lease(owner, LEASE_MS, PLACES)).toMatchObject([
      { failuresInRow: 0, failingSince: null },
    ]);
  });

  it('forget failures when an endpoint is enabled that was disabled, not one that is enabled already', async () => {
    const id = await bench.endpoint();
    await bench.outbox.write([bench.event(1)]);
    const since = await bench.deliveries.failed(id, 5, 60_000);
    const enable = () => bench.endpoints.change(bench.accountId, id, { status: 'Enabled' });
    await enable();
    const leased = await bench.deliveries.lease(owner, LEASE_MS, PLACES);
    expect(leased).toMatchObject([{ failuresInRow: 5, failingSince: since }]);
    await bench.endpoints.change(bench.accountId, id, { status: 'Disabled' });
    await enable();
    const renewed = await bench.deliveries.renew(owner, [id], LEASE_MS);
    expect(renewed).toMatchObject([{ failuresInRow: 0, failingSince: null }]);
  });

  it('end the lease once the endpoint is disabled or deleted', async () => {
    const id = await bench.endpoint();
    await bench.outbox.write([bench.event(1)]);
    await bench.deliveries.lease(owner, LEASE_MS, PLACES);
    expect(await bench.deliveries.disable(id, 'endpoint_gone')).toBe(true);
    expect(await bench.deliveries.disable(id, 'endpoint_gone')).toBe(false);
    expect(await bench.deliveries.renew(owner, [id], LEASE_MS)).toEqual([]);
    expect(await bench.endpoints.find(bench.accountId, id)).toMatchObject({
      status: 'Disabled',
      disabledReason: 'endpoint_gone',
    });
    await bench.endpoints.change(bench.accountId, id, { status: 'Enabled' });
    expect(await bench.endpoints.find(bench.accountId, id)).toMatchObject({ status: 'Enabled', disabledReason: null });
    expect(await bench.deliveries.renew(owner, [id], LEASE_MS)).toHaveLength(1);
    expect(await bench.endpoints.remove(bench.accountId, id)).toBe(true);
    expect(await bench.deliveries.renew(owner, [id], LEASE_MS)).toEqual([]);
  });

  it('count the bodies that wait for an endpoint, without those of before it was enabled after a full backlog', async () => {
    const [id, disabled] = [await bench.endpoint(), await bench.endpoint(['job.failed'])];
    expect(await bench.deliveries.backlogs(1)).toEqual([]);
    await bench.outbox.write([bench.event(1), bench.event(2), bench.event(3, 'job.failed')]);
    await bench.addOrdered(randomUUID(), 4);
    await bench.endpoints.change(bench.accountId, disabled, { status: 'Disabled' });
    const endpoint = { id, accountId: bench.accountId, plan: 'Pro' };
    expect([await bench.deliveries.backlogs(3), await bench.deliveries.backlogs(4)]).toEqual([[endpoint], []]);
    const isFull = (most: number) => bench.deliveries.isBacklogFull(id, most);
    expect([await isFull(2), await isFull(3), await isFull(4)]).toEqual([true, true, false]);

    for (const [reason, counts] of [
      ['endpoint_gone', true],
      ['backlog_full', false],
    ] as const) {
      await bench.deliveries.disable(id, reason);
      await bench.endpoints.change(bench.accountId, id, { status: 'Enabled' });
      expect([reason, await isFull(3)]).toEqual([reason, counts]);
    }
    await bench.outbox.write([bench.event(5), bench.event(6)]);
    expect([await bench.deliveries.backlogs(2), await bench.deliveries.backlogs(3)]).toEqual([[endpoint], []]);
    expect([await isFull(2), await isFull(3)]).toEqual([true, false]);
  });

  it('are kept up by one process at a time', async () => {
    const take = () => bench.deliveries.takeUpkeep(60_000);
    expect([await take(), await take()]).toEqual([true, false]);
  });

  it('delete undeliverable rows', async () => {
    const [gone, disabled, live] = [await bench.endpoint(), await bench.endpoint(), await bench.endpoint()];
    await bench.outbox.write([bench.event(1)]);
    const hour = 3_600_000;
    for (const id of [disabled, live]) await bench.addOld(id, 96 * hour);
    for (const ageMs of [60_000, 71 * hour]) await bench.addOld(disabled, ageMs);
    await bench.endpoints.remove(bench.accountId, gone);
    await bench.endpoints.change(bench.accountId, disabled, { status: 'Disabled' });
    expect(await bench.deliveries.deleteLeftovers(100)).toBe(2);
    expect((await bench.waiting()).sort()).toEqual([disabled, disabled, disabled, live, live].sort());
  });

  it('refuse endpoints beyond the account limit', async () => {
    await bench.endpoint();
    const fields = { url: 'https://example.com', events: ['job.failed'] as EventType[], maxEvents: 1 };
    expect(await bench.endpoints.add({ id: uuidV7(), accountId: bench.accountId, ...fields }, 'whsec_MQ==', 1)).toBe(
      false,
    );
  });

  it('lease no disabled or blocked endpoint', async () => {
    const id = await bench.endpoint();
    await bench.outbox.write([bench.event(1)]);
    await bench.endpoints.change(bench.accountId, id, { status: 'Disabled' });
    expect(await bench.deliveries.lease(owner, LEASE_MS, PLACES)).toEqual([]);
    await bench.endpoints.change(bench.accountId, id, { status: 'Enabled' });
    await bench.deliveries.failed(id, 5, 60_000);
    expect(await bench.deliveries.lease(owner, LEASE_MS, PLACES)).toEqual([]);
    await bench.endpoints.change(bench.accountId, id, { url: 'https://example.com/other' });
    expect(await bench.deliveries.lease(owner, LEASE_MS, PLACES)).toHaveLength(1);
  });
});
