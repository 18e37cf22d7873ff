import { randomBytes } from 'node:crypto';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { lowestUuidAt, uuidV7 } from '../../src/kernel/uuid';
import { PlatformCredentials } from '../../src/modules/accounts/adapters/platform-credentials';
import { TypeOrmAccountStore } from '../../src/modules/accounts/adapters/typeorm-account-store';
import type { AccountStore } from '../../src/modules/accounts/domain/account-store.port';
import { activeSince, isIdle, isTaskDue, type Sender } from '../../src/modules/accounts/domain/sender';
import { InMemoryAccountStore } from '../fakes/in-memory-account-store';
import { draft } from '../support/account-draft';
import { describeOnDatabase } from '../support/databases';

const ENVIRONMENT = new PlatformCredentials('environment-token', 'environment-secret');

type Traffic = Pick<Sender, 'lastAcceptedAt' | 'lastReportedAt'>;

describe('The senders with a task that is due, in memory', () => {
  const store = new InMemoryAccountStore(ENVIRONMENT);
  const report = (traffic: Traffic) => Promise.resolve(void (store.traffic = traffic));
  findsDueSenders(() => Promise.resolve({ store, report }));
});

describeOnDatabase('The senders with a task that is due', (open) => {
  findsDueSenders(async () => {
    const database = await open();
    const report = async ({ lastAcceptedAt, lastReportedAt }: Traffic): Promise<void> => {
      await database.execute('DELETE FROM sender_traffic');
      const columns = 'sender_id, last_accepted_at, last_webhook_at';
      const traffic = `INSERT INTO sender_traffic (${columns}) SELECT id, $1, $2 FROM senders`;
      if (lastAcceptedAt ?? lastReportedAt) await database.execute(traffic, [lastAcceptedAt, lastReportedAt]);
    };
    return { store: new TypeOrmAccountStore(database, new SecretBox(randomBytes(32)), ENVIRONMENT), report };
  });
});

interface Opened {
  store: AccountStore;
  /** Sets the times of the last traffic of every sender. */
  report(traffic: Traffic): Promise<void>;
}

function findsDueSenders(open: () => Promise<Opened>): void {
  let store: AccountStore;
  let report: Opened['report'];
  beforeAll(async () => ({ store, report } = await open()));

  it('are found once for each business account', async () => {
    for (const number of ['800', '801']) await store.add(uuidV7(), draft(number));
    const all = (await store.senders()).map(({ businessAccountId }) => businessAccountId);
    const found = await store.businessAccounts(activeSince(new Date()));
    expect(found.map(({ id }) => id).sort()).toEqual([...new Set(all)].sort());
  });

  it('are those in use for which isTaskDue is true', async () => {
    const time = (minute: number, ms = 0) => new Date(Date.UTC(2026, 1, 1, 0, minute, ms));
    const around = (minute: number) => [time(minute, -1), time(minute), time(minute, 1)];
    const due = {
      ...{ reportedSince: time(10), reported: time(20), quiet: time(30), idle: time(25) },
      activeSince: { at: time(5), id: lowestUuidAt(time(5)) },
    };
    const tomorrow = lowestUuidAt(new Date(Date.now() + 86_400_000));
    const ofCreatedBefore = { ...due, activeSince: { at: time(5), id: tomorrow } };
    const made: string[] = [];
    for (const last of [null, ...around(20), ...around(25), ...around(30)]) {
      for (const state of ['Active', 'Suspended', 'Deleting', 'sender deleted']) {
        const account = uuidV7();
        await store.add(account, draft(`7${made.length}`));
        const [sender] = await store.sendersOf(account);
        made.push(sender!.id);
        if (last) await store.markTemplatesSynced(sender!.id, last);
        if (last) await store.recordReading(sender!, { at: last, qualityRating: null, problem: null });
        if (state === 'Suspended') await store.change(account, { status: state });
        if (state === 'Deleting') await store.beginDeletion(account);
        if (state === 'sender deleted') await store.deleteSender(sender!.id);
      }
    }
    const tasks = ['limitsReadAt', 'templatesSyncedAt'] as const;
    const traffics: Traffic[] = [
      { lastAcceptedAt: null, lastReportedAt: null },
      ...[...around(5), ...around(10)].map((lastReportedAt) => ({ lastAcceptedAt: null, lastReportedAt })),
      ...around(5).map((lastAcceptedAt) => ({ lastAcceptedAt, lastReportedAt: null })),
    ];
    for (const traffic of traffics) {
      await report(traffic);
      const all = (await Promise.all(made.map((id) => store.sender(id)))).map((sender) => sender!);
      for (const sender of all) expect(sender).toMatchObject(traffic);
      const inUse = all.filter(({ isDeleted, isAccountDeleted }) => !isDeleted && !isAccountDeleted);
      expect(inUse).toHaveLength(all.length / 2);
      const { businessAccountId } = all[0]!;
      const senders = inUse.filter((sender) => sender.businessAccountId === businessAccountId);
      for (const since of [due.activeSince, ofCreatedBefore.activeSince]) {
        const accounts = (await store.businessAccounts(since)).filter(({ id }) => id === businessAccountId);
        const { lastReportedAt } = traffic;
        const isReported = lastReportedAt !== null && lastReportedAt >= since.at;
        const newestSender = senders
          .map(({ id }) => id)
          .sort()
          .at(-1);
        const areIdle = senders.every((sender) => isIdle(sender, since));
        expect({ traffic, accounts }).toEqual({
          traffic,
          accounts: [{ id: businessAccountId, isReported, isIdle: areIdle, newestSender }],
        });
      }
      const isReported = traffic.lastReportedAt !== null && traffic.lastReportedAt >= due.reportedSince;
      const isUsed = [traffic.lastAcceptedAt, traffic.lastReportedAt].some((at) => at !== null && at >= time(5));
      for (const task of tasks) {
        for (const times of [due, ofCreatedBefore]) {
          const found = (await store.sendersDue(task, times)).filter((id) => made.includes(id));
          const expected = inUse.filter((sender) => isTaskDue(sender[task], sender, times)).map(({ id }) => id);
          expect({ traffic, task, found }).toEqual({ traffic, task, found: expected });
          // Never done, and up to the boundary; each twice: Active and Suspended.
          const ofUsed = isUsed || times === due ? 9 : 6;
          expect(found).toHaveLength(2 * (isReported ? 3 : ofUsed));
        }
      }
    }
  });
}
