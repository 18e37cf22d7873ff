import { decodeCursor } from '../../src/kernel/time-cursor';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresAuditStore } from '../../src/modules/accounts/adapters/postgres-audit-store';
import type { AuditEntry, AuditFilter, NewAuditEntry } from '../../src/modules/accounts/domain/audit-entry';
import type { AuditStore } from '../../src/modules/accounts/domain/audit-store.port';
import { InMemoryAuditStore } from '../fakes/in-memory-audit-store';
import { describeOnDatabase } from '../support/databases';

const ONE = uuidV7();
const OTHER = uuidV7();
const KEY = uuidV7();

describe('AuditStore in memory', () => {
  keepsEntries(() => Promise.resolve(new InMemoryAuditStore(new Map([[KEY, 'Campaigns']]))));
});

describeOnDatabase('AuditStore', (open) => {
  keepsEntries(async () => {
    const database = await open();
    for (const id of [ONE, OTHER]) {
      await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'A', 'Pro')`, [id]);
    }
    await database.execute(
      `INSERT INTO api_keys (id, account_id, name, prefix, secret_hash, scopes) VALUES ($1, $2, 'Campaigns', '1a2b3c4d', '', '{}')`,
      [KEY, ONE],
    );
    return new PostgresAuditStore(database);
  });
});

function keepsEntries(open: () => Promise<AuditStore>): void {
  let store: AuditStore;
  const entries = Array.from({ length: 5 }, (_, n): NewAuditEntry => ({
    id: uuidV7(),
    accountId: n === 3 ? OTHER : ONE,
    actorAccountId: ONE,
    keyId: n === 0 ? null : KEY,
    keyPrefix: n === 0 ? null : '1a2b3c4d',
    address: n === 0 ? null : '203.0.113.7',
    action: 'key.changed',
    targetId: uuidV7(),
    fields: ['scopes', 'name'],
    // The last two in the same moment.
    createdAt: new Date(1_767_225_600_000 + Math.min(n, 3) * 1000),
  }));
  const stored = entries.map(({ keyId, ...entry }): AuditEntry => ({
    ...entry,
    keyName: keyId === null ? null : 'Campaigns',
  }));
  const newestFirst = [...stored].sort((a, b) =>
    a.createdAt.getTime() === b.createdAt.getTime()
      ? a.id < b.id
        ? 1
        : -1
      : b.createdAt.getTime() - a.createdAt.getTime(),
  );

  beforeAll(async () => {
    store = await open();
    for (const entry of entries) await store.add(entry);
  });

  it('lists all entries newest first, page by page', async () => {
    const found: AuditEntry[] = [];
    let cursor: string | null = null;
    do {
      const { items, nextCursor } = await store.slice(
        { accountId: null },
        cursor === null ? null : decodeCursor(cursor),
        2,
      );
      expect(items.length).toBeLessThanOrEqual(2);
      found.push(...items);
      cursor = nextCursor;
    } while (cursor !== null);
    expect(found).toEqual(newestFirst);
  });

  it('lists the entries of one account', async () => {
    expect(await store.slice({ accountId: OTHER }, null, 10)).toEqual({ items: [stored[3]], nextCursor: null });
    expect((await store.slice({ accountId: ONE }, null, 10)).items).toHaveLength(4);
    expect(await store.slice({ accountId: uuidV7() }, null, 10)).toEqual({ items: [], nextCursor: null });
  });

  it('lists the entries in a time range', async () => {
    const [createdAfter, createdBefore] = [entries[1]!.createdAt, entries[3]!.createdAt];
    const idsOf = async (filter: AuditFilter) => (await store.slice(filter, null, 10)).items.map(({ id }) => id);
    expect(await idsOf({ accountId: null, createdAfter, createdBefore })).toEqual([entries[2]!.id, entries[1]!.id]);
    expect(await idsOf({ accountId: ONE, createdBefore: createdAfter })).toEqual([entries[0]!.id]);
  });

  it('lists the entries of an action, of a key, and about something', async () => {
    const idsOf = async (filter: Partial<AuditFilter>) =>
      (await store.slice({ accountId: ONE, ...filter }, null, 10)).items.map(({ id }) => id);
    expect(await idsOf({ action: 'key.changed' })).toHaveLength(4);
    expect(await idsOf({ action: 'job.paused' })).toEqual([]);
    expect(await idsOf({ keyPrefix: '1a2b3c4d' })).toHaveLength(3);
    expect(await idsOf({ targetId: entries[1]!.targetId! })).toEqual([entries[1]!.id]);
  });

  it('removes the oldest entries', async () => {
    const before = entries[2]!.createdAt;
    expect(await store.removeBefore(before, 1)).toBe(1);
    expect((await store.slice({ accountId: null }, null, 10)).items).toEqual(newestFirst.slice(0, 4));
    expect(await store.removeBefore(before, 10)).toBe(1);
    expect(await store.removeBefore(before, 10)).toBe(0);
    expect((await store.slice({ accountId: null }, null, 10)).items).toEqual(newestFirst.slice(0, 3));
  });
}
