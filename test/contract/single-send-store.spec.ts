import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresSingleSendStore } from '../../src/modules/sending/adapters/postgres-single-send-store';
import type { NewSingleSend, SingleSendStore } from '../../src/modules/sending/domain/single-send-store.port';
import { MemoryDatabase } from '../fakes/memory-database';
import { SingleSendsInMemory } from '../fakes/single-sends-in-memory';
import { describeOnDatabase } from '../support/databases';
import { ago, MemorySendingTables, type SendingTables, SqlSendingTables } from '../support/sending-tables';

const GRACE_MS = 900_000;
const GIVE_UP_MS = 35_000;

interface Shared {
  tables: () => SendingTables;
  unitOfWork: UnitOfWork;
  store: SingleSendStore;
}

describe('SingleSendStore in memory', () => {
  singleSendStoreSuite(() => {
    const database = new MemoryDatabase();
    const tables = () => new MemorySendingTables(database);
    return Promise.resolve({ tables, unitOfWork: database, store: new SingleSendsInMemory(database) });
  });
});

describeOnDatabase('SingleSendStore', (open) => {
  singleSendStoreSuite(async () => {
    const database = await open();
    const tables = () => new SqlSendingTables(database);
    return { tables, unitOfWork: new TypeOrmUnitOfWork(database), store: new PostgresSingleSendStore(database) };
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

  it('writes an attempt that leaves now with the moment when it is given up', async () => {
    const send = newSend(1);
    await store.insert([send], GIVE_UP_MS);

    const row = await tables.single(send.messageId);
    expect(row).toMatchObject({ attempt: 1, retryAt: null, sendingEpoch: null, outcome: null });
    const wait = row.giveUpAt!.getTime() - Date.now();
    expect(wait).toBeGreaterThan(GIVE_UP_MS - 5000);
    expect(wait).toBeLessThan(GIVE_UP_MS + 5000);
    expect(row.validUntil.getTime()).toBe(send.validUntil.getTime());
  });

  it('writes what is to be sent later as due at once', async () => {
    const send = newSend(0);
    await store.insert([send], GIVE_UP_MS);

    const row = await tables.single(send.messageId);
    expect(row).toMatchObject({ attempt: 0, giveUpAt: null });
    expect(Math.abs(row.retryAt!.getTime() - Date.now())).toBeLessThan(5000);
  });

  it('does not write a message a second time', async () => {
    const send = newSend(1);
    await store.insert([send], GIVE_UP_MS);

    await expect(store.insert([send], GIVE_UP_MS)).rejects.toThrow('duplicate key');
  });

  it('locks the ones that exist, in the order of their ids', async () => {
    const first = await tables.addSingle({ attempt: 2, strikes: 1 });
    const second = await tables.addSingle();
    const { now, sends } = await shared.unitOfWork.run(() => store.lock([second, uuidV7(), first]));

    expect(sends.map(({ messageId }) => messageId)).toEqual([first, second]);
    expect(sends[0]).toMatchObject({ senderId: tables.senderId, attempt: 2, strikes: 1, outcome: null, problem: null });
    expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(60_000);
  });

  it('saves states and frees them from their epoch and from being given up', async () => {
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

  it('claims a message however often it was tried', async () => {
    await tables.addSingle({ attempt: 32_767 });

    expect(await store.claimDue(tables.senderId, '7', 1, GIVE_UP_MS)).toMatchObject([{ attempt: 32_768 }]);
  });

  it('claims what is due and valid, the longest waiting first, up to the limit', async () => {
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

  it('tells whether one is due and still valid', async () => {
    await tables.addSingle({ retryAt: ago(-60) });
    await tables.addSingle({ retryAt: ago(1), validUntil: ago(1) });
    expect(await store.due(tables.senderId)).toEqual({ toSend: false, toAsk: false });

    await tables.addSingle({ retryAt: ago(1) });
    expect(await store.due(tables.senderId)).toEqual({ toSend: true, toAsk: false });
  });

  describe('One that needs room in the messaging tier', () => {
    it('is not claimed, and asks for room when its time has come', async () => {
      const held = await tables.addSingle({ retryAt: ago(1), needsRoom: true });
      await tables.addSingle({ retryAt: ago(-60), needsRoom: true });

      expect(await store.due(tables.senderId)).toEqual({ toSend: false, toAsk: true });
      expect(await store.claimDue(tables.senderId, '1', 10, GIVE_UP_MS)).toEqual([]);
      const asking = await shared.unitOfWork.run(() => store.lockHeld(tables.senderId, 10));
      expect(asking).toMatchObject([{ messageId: held, needsRoom: true }]);
    });

    it('is claimed once it has room', async () => {
      const held = await tables.addSingle({ retryAt: ago(1), needsRoom: true });
      await shared.unitOfWork.run(async () => {
        const [send] = await store.lockHeld(tables.senderId, 10);
        await store.save([{ ...send!, needsRoom: false }]);
      });

      expect(await store.claimDue(tables.senderId, '1', 10, GIVE_UP_MS)).toMatchObject([{ messageId: held }]);
    });

    it('can be any whose time to be sent has come: they all ask first', async () => {
      const due = await tables.addSingle();
      const waiting = await tables.addSingle({ retryAt: ago(-60) });
      await store.askFirst(tables.senderId);

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

  it('finds what an older epoch of the lane had out, and nothing else', async () => {
    const out = { attempt: 1, retryAt: null, giveUpAt: ago(-20) };
    const stranded = await tables.addSingle({ ...out, sendingEpoch: 1 });
    await tables.addSingle({ ...out, sendingEpoch: 2 });
    await tables.addSingle(out);
    await tables.addSingle();
    const { sends } = await shared.unitOfWork.run(() => store.lockStranded(tables.senderId, '2'));

    expect(sends.map(({ messageId }) => messageId)).toEqual([stranded]);
  });

  it('finds what is open, of all senders: what waits and what is out', async () => {
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

  it('finds what has waited too long: for an answer, for its turn, for its trace', async () => {
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
