import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresSingleSendStore } from '../../src/modules/sending/adapters/postgres-single-send-store';
import type { NewSingleSend, SingleSendStore } from '../../src/modules/sending/domain/single-send-store.port';
import { SystemClock } from '../../src/infra/system-clock';
import { EngineDatabase } from '../fakes/engine-database';
import { SimulatedSingleSendStore } from '../simulation/simulated-single-send-store';
import { describeOnDatabase } from '../support/databases';
import { ago, EngineSendingTables, type SendingTables, SqlSendingTables } from '../support/sending-tables';

const GRACE_MS = 900_000;
const GIVE_UP_MS = 35_000;

interface Shared {
  tables: () => SendingTables;
  unitOfWork: UnitOfWork;
  store: SingleSendStore;
}

describe('SingleSendStore in memory', () => {
  singleSendStoreSuite(() => {
    const database = new EngineDatabase(new SystemClock());
    const tables = () => new EngineSendingTables(database.server);
    return Promise.resolve({ tables, unitOfWork: database, store: new SimulatedSingleSendStore(database) });
  });
});

describeOnDatabase('SingleSendStore', (open) => {
  singleSendStoreSuite(async () => {
    const database = await open();
    const tables = () => new SqlSendingTables(database);
    return {
      tables,
      unitOfWork: new TypeOrmUnitOfWork(database),
      store: new PostgresSingleSendStore(database, new SystemClock()),
    };
  });
});

function singleSendStoreSuite(open: () => Promise<Shared>): void {
  let shared: Shared;
  let tables: SendingTables;
  let store: SingleSendStore;

  beforeAll(async () => {
    shared = await open();
    ({ store } = shared);
  });

  beforeEach(async () => {
    tables = shared.tables();
    await tables.addSender();
  });

  const newSend = (attempt: number): NewSingleSend => ({
    createdBy: uuidV7(),
    requestId: null,
    traceparent: null,
    messageId: uuidV7(),
    senderId: tables.senderId,
    attempt,
    strikes: 0,
    throttles: 0,
    retryAt: null,
    unknownSince: null,
    outcome: null,
    problem: null,
    needsRoom: false,
    validUntil: ago(-600),
  });

  async function overdue(): Promise<string[]> {
    const { sends } = await shared.unitOfWork.run(() => store.lockOverdue(GRACE_MS, 100));
    return sends.filter(({ senderId }) => senderId === tables.senderId).map(({ messageId }) => messageId);
  }

  it('writes an immediate attempt with its give-up time', async () => {
    const send = newSend(1);
    await store.insert([send], GIVE_UP_MS);

    const row = await tables.single(send.messageId);
    expect(row).toMatchObject({ attempt: 1, retryAt: null, sendingEpoch: null, outcome: null });
    const wait = row.giveUpAt!.getTime() - Date.now();
    expect(wait).toBeGreaterThan(GIVE_UP_MS - 5000);
    expect(wait).toBeLessThan(GIVE_UP_MS + 5000);
    expect(row.validUntil.getTime()).toBe(send.validUntil.getTime());
  });

  it('writes a queued send as due immediately', async () => {
    const send = newSend(0);
    await store.insert([send], GIVE_UP_MS);

    const row = await tables.single(send.messageId);
    expect(row).toMatchObject({ attempt: 0, giveUpAt: null });
    expect(Math.abs(row.retryAt!.getTime() - Date.now())).toBeLessThan(5000);
  });

  it('delays a new send only if it needs room', async () => {
    const later = ago(-60);
    const [atOnce, held] = [
      { ...newSend(0), retryAt: later },
      { ...newSend(0), retryAt: later, needsRoom: true },
    ];
    await store.insert([atOnce, held], GIVE_UP_MS);

    expect(Math.abs((await tables.single(atOnce.messageId)).retryAt!.getTime() - Date.now())).toBeLessThan(5000);
    expect(await tables.single(held.messageId)).toMatchObject({ retryAt: later });
  });

  it('does not write a message a second time', async () => {
    const send = newSend(1);
    await store.insert([send], GIVE_UP_MS);

    await expect(store.insert([send], GIVE_UP_MS)).rejects.toThrow('duplicate key');
  });

  it('locks existing sends in id order', async () => {
    const first = await tables.addSingle({ attempt: 2, strikes: 1 });
    const second = await tables.addSingle();
    const { now, sends } = await shared.unitOfWork.run(() => store.lock([second, uuidV7(), first]));

    expect(sends.map(({ messageId }) => messageId)).toEqual([first, second]);
    expect(sends[0]).toMatchObject({ senderId: tables.senderId, attempt: 2, strikes: 1, outcome: null, problem: null });
    expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(60_000);
  });

  it('saves states and clears their epoch and give-up time', async () => {
    const failed = await tables.addSingle({ attempt: 1, retryAt: null, sendingEpoch: 3, giveUpAt: ago(-9) });
    const unknown = await tables.addSingle({ attempt: 1, retryAt: null, giveUpAt: ago(-9) });
    const since = ago(2);
    await shared.unitOfWork.run(async () => {
      const { sends } = await store.lock([failed, unknown]);
      const problem = { code: 'expired', message: 'Too late.', platformCode: null };
      await store.save([
        { ...sends[0]!, outcome: 'Failed', problem, strikes: 2 },
        { ...sends[1]!, outcome: 'Unknown', unknownSince: since, throttles: 4 },
      ]);
    });

    const freed = { sendingEpoch: null, giveUpAt: null, retryAt: null };
    expect(await tables.single(failed)).toMatchObject({ ...freed, outcome: 'Failed', problem: 'expired', strikes: 2 });
    expect(await tables.single(unknown)).toMatchObject({ ...freed, unknownSince: since, throttles: 4, problem: null });
  });

  it('claims a message regardless of the number of attempts', async () => {
    await tables.addSingle({ attempt: 32_767 });

    expect(await store.claimDue(tables.senderId, '7', 1, GIVE_UP_MS)).toMatchObject([{ attempt: 32_768 }]);
  });

  it('claims a send with the trace of its request', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await store.insert([{ ...newSend(0), requestId: 'request-1', traceparent }], GIVE_UP_MS);
    expect(await store.claimDue(tables.senderId, '7', 1, GIVE_UP_MS)).toMatchObject([{ attempt: 1, traceparent }]);
  });

  it('claims due and valid sends, the longest waiting first, up to the limit', async () => {
    const late = await tables.addSingle({ retryAt: ago(1) });
    const later = await tables.addSingle({ retryAt: ago(-30) });
    const over = await tables.addSingle({ retryAt: ago(9), validUntil: ago(1) });
    const early = await tables.addSingle({ retryAt: ago(5), attempt: 2 });
    const middle = await tables.addSingle({ retryAt: ago(3) });
    const claimed = await store.claimDue(tables.senderId, '7', 2, GIVE_UP_MS);

    expect(claimed.map(({ messageId }) => messageId).sort()).toEqual([early, middle].sort());
    expect(await tables.single(early)).toMatchObject({ attempt: 3, sendingEpoch: 7, retryAt: null });
    expect((await tables.single(early)).giveUpAt!.getTime()).toBeGreaterThan(Date.now());
    for (const id of [late, later, over]) expect(await tables.single(id)).toMatchObject({ sendingEpoch: null });
  });

  it('reports whether one is due and still valid', async () => {
    await tables.addSingle({ retryAt: ago(-60) });
    await tables.addSingle({ retryAt: ago(1), validUntil: ago(1) });
    expect(await store.due(tables.senderId)).toEqual({ toSend: false, toRequestRoom: false });

    await tables.addSingle({ retryAt: ago(1) });
    expect(await store.due(tables.senderId)).toEqual({ toSend: true, toRequestRoom: false });
  });

  describe('One that needs room in the messaging tier', () => {
    it('is not claimed, and requests room when due', async () => {
      const held = await tables.addSingle({ retryAt: ago(1), needsRoom: true });
      await tables.addSingle({ retryAt: ago(-60), needsRoom: true });

      expect(await store.due(tables.senderId)).toEqual({ toSend: false, toRequestRoom: true });
      expect(await store.claimDue(tables.senderId, '1', 10, GIVE_UP_MS)).toEqual([]);
      const asking = await shared.unitOfWork.run(() => store.lockHeld(tables.senderId, 10));
      expect(asking).toMatchObject([{ messageId: held, needsRoom: true }]);
    });

    it('requests room in the order of the waits', async () => {
      await tables.addSingle({ retryAt: ago(1), needsRoom: true });
      const [longest, next] = [ago(60), ago(30)];
      const expected = [
        await tables.addSingle({ retryAt: longest, needsRoom: true }),
        await tables.addSingle({ retryAt: next, needsRoom: true }),
      ];
      const asking = await shared.unitOfWork.run(() => store.lockHeld(tables.senderId, 2));
      expect(asking.map(({ messageId }) => messageId)).toEqual(expected);
    });

    it('is claimed once it has room', async () => {
      const held = await tables.addSingle({ retryAt: ago(1), needsRoom: true });
      await shared.unitOfWork.run(async () => {
        const [send] = await store.lockHeld(tables.senderId, 10);
        await store.save([{ ...send!, needsRoom: false }]);
      });

      expect(await store.claimDue(tables.senderId, '1', 10, GIVE_UP_MS)).toMatchObject([{ messageId: held }]);
    });

    it('can be any due send: all request room first', async () => {
      const due = await tables.addSingle();
      const waiting = await tables.addSingle({ retryAt: ago(-60) });
      await store.requireRoom(tables.senderId);

      expect(await tables.single(due)).toMatchObject({ needsRoom: true });
      expect(await tables.single(waiting)).toMatchObject({ needsRoom: false });
    });
  });

  it('claims nothing of another sender', async () => {
    const other = shared.tables();
    await other.addSender();
    await other.addSingle();

    expect(await store.claimDue(tables.senderId, '1', 10, GIVE_UP_MS)).toEqual([]);
  });

  it('finds exactly what is in flight under an older epoch of the lane', async () => {
    const out = { attempt: 1, retryAt: null, giveUpAt: ago(-20) };
    const stranded = await tables.addSingle({ ...out, sendingEpoch: 1 });
    await tables.addSingle({ ...out, sendingEpoch: 2 });
    await tables.addSingle(out);
    await tables.addSingle();
    const { sends } = await shared.unitOfWork.run(() => store.lockStranded(tables.senderId, '2'));

    expect(sends.map(({ messageId }) => messageId)).toEqual([stranded]);
  });

  it('finds open sends of all senders: waiting and in flight', async () => {
    const waiting = await tables.addSingle({ retryAt: ago(-60) });
    const isOut = newSend(1);
    await store.insert([isOut], GIVE_UP_MS);
    await tables.addSingle({ retryAt: null, outcome: 'Sent' });
    await tables.addSingle({ retryAt: null, outcome: 'Unknown', unknownSince: ago(1) });
    const { sends } = await shared.unitOfWork.run(() => store.lockOpen(1000));
    const own = sends.filter(({ senderId }) => senderId === tables.senderId).map(({ messageId }) => messageId);
    expect(own).toEqual([waiting, isOut.messageId].sort());
    expect((await shared.unitOfWork.run(() => store.lockOpen(1))).sends).toHaveLength(1);
  });

  it('finds overdue sends: unanswered, expired or past the grace time', async () => {
    const out = { attempt: 1, retryAt: null };
    const unanswered = await tables.addSingle({ ...out, giveUpAt: ago(1) });
    const expired = await tables.addSingle({ retryAt: ago(-30), validUntil: ago(1) });
    const graceOver = await tables.addSingle({ ...out, outcome: 'Unknown', unknownSince: ago(901) });
    await tables.addSingle({ ...out, giveUpAt: ago(-5) });
    await tables.addSingle();
    await tables.addSingle({ ...out, outcome: 'Unknown', unknownSince: ago(800) });
    await tables.addSingle({ ...out, outcome: 'Sent', validUntil: ago(1) });
    await tables.addSingle({ ...out, outcome: 'Unknown', problem: 'outcome_unknown', validUntil: ago(1) });

    expect(await overdue()).toEqual([unanswered, expired, graceOver].sort());
    const { sends } = await shared.unitOfWork.run(() => store.lockOverdue(GRACE_MS, 2));
    expect(sends).toHaveLength(2);
  });
}
