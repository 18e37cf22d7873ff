import { randomBytes } from 'node:crypto';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresConsoleSessionStore } from '../../src/modules/accounts/adapters/postgres-console-session-store';
import type { ConsoleSession } from '../../src/modules/accounts/domain/console-session';
import type { ConsoleSessionStore } from '../../src/modules/accounts/domain/console-session-store.port';
import { InMemoryConsoleSessionStore } from '../fakes/in-memory-console-session-store';
import { describeOnDatabase } from '../support/databases';

const KEYS = [uuidV7(), uuidV7(), uuidV7(), uuidV7()];
const START = new Date('2026-03-01T10:00:00Z').getTime();

describe('ConsoleSessionStore in memory', () => {
  keepsSessions(() => Promise.resolve(new InMemoryConsoleSessionStore()));
});

describeOnDatabase('ConsoleSessionStore', (open) => {
  keepsSessions(async () => {
    const database = await open();
    const accountId = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'A', 'Pro')`, [accountId]);
    for (const id of KEYS) {
      await database.execute(
        `INSERT INTO api_keys (id, account_id, name, prefix, secret_hash, scopes, allowed_ips, created_at)
         VALUES ($1, $2, 'K', $3, '\\x00', '{}', '{}', now())`,
        [id, accountId, id],
      );
    }
    return new PostgresConsoleSessionStore(database);
  });
});

function keepsSessions(open: () => Promise<ConsoleSessionStore>): void {
  let store: ConsoleSessionStore;

  beforeAll(async () => (store = await open()));

  const add = async (keyId: string, minute: number, most = 50): Promise<ConsoleSession> => {
    const createdAt = new Date(START + minute * 60_000);
    const session = { tokenHash: randomBytes(32), keyId, keyPrefix: '1a2b3c4d', createdAt, lastUsedAt: createdAt };
    await store.add(session, most);
    return session;
  };

  it('finds a session only by the hash of its token', async () => {
    const session = await add(KEYS[0]!, 0);
    expect(await store.find(session.tokenHash)).toEqual(session);
    expect(await store.find(randomBytes(32))).toBeNull();
    const other = await add(KEYS[0]!, 0);
    const hashes = [other.tokenHash, randomBytes(32), session.tokenHash, other.tokenHash];
    expect(await store.findAll(hashes)).toEqual([other, null, session, other]);
  });

  it('records uses, and never an earlier one over a later one', async () => {
    const { tokenHash } = await add(KEYS[0]!, 0);
    const later = new Date(START + 120_000);
    await store.markUsed(tokenHash, later);
    await store.markUsed(tokenHash, new Date(START + 60_000));
    expect((await store.find(tokenHash))?.lastUsedAt).toEqual(later);
  });

  it('removes a session once, and returns it', async () => {
    const session = await add(KEYS[0]!, 0);
    expect(await store.remove(session.tokenHash)).toEqual(session);
    expect(await store.remove(session.tokenHash)).toBeNull();
    expect(await store.find(session.tokenHash)).toBeNull();
  });

  it('keeps the most recently used sessions of a key, up to a limit', async () => {
    const other = await add(KEYS[2]!, 0);
    const sessions = [await add(KEYS[1]!, 1), await add(KEYS[1]!, 2), await add(KEYS[1]!, 3)];
    await store.markUsed(sessions[0]!.tokenHash, new Date(START + 600_000));
    const newest = await add(KEYS[1]!, 11, 2);
    const open = await Promise.all(
      [...sessions, newest, other].map(async ({ tokenHash }) => (await store.find(tokenHash)) !== null),
    );
    expect(open).toEqual([true, false, false, true, true]);
  });

  it('removes unused sessions, up to a limit', async () => {
    await store.removeUnused(new Date(START + 3_600_000), 1_000);
    const sessions = [await add(KEYS[3]!, 1), await add(KEYS[3]!, 2), await add(KEYS[3]!, 3)];
    const before = new Date(START + 180_000);
    expect(await store.removeUnused(before, 1)).toBe(1);
    expect(await store.find(sessions[0]!.tokenHash)).toBeNull();
    expect(await store.removeUnused(before, 10)).toBe(1);
    expect(await store.removeUnused(before, 10)).toBe(0);
    expect(await store.find(sessions[2]!.tokenHash)).toEqual(sessions[2]);
  });
}
