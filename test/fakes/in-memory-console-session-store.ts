import type { ConsoleSession } from '../../src/modules/accounts/domain/console-session';
import { ConsoleSessionStore } from '../../src/modules/accounts/domain/console-session-store.port';

/** Console sessions in memory; `writes` counts recorded uses, `reads` token lookups. */
export class InMemoryConsoleSessionStore extends ConsoleSessionStore {
  rows: ConsoleSession[] = [];
  writes = 0;
  reads = 0;

  add(session: ConsoleSession, most: number): Promise<void> {
    const ofKey = this.rows.filter(({ keyId }) => keyId === session.keyId).sort(latestFirst);
    const surplus = ofKey.slice(most - 1);
    this.rows = [...this.rows.filter((row) => !surplus.includes(row)), { ...session }];
    return Promise.resolve();
  }

  findAll(tokenHashes: readonly Buffer[]): Promise<(ConsoleSession | null)[]> {
    this.reads += 1;
    const found = tokenHashes.map((tokenHash) => this.rows.find((one) => one.tokenHash.equals(tokenHash)));
    return Promise.resolve(found.map((row) => (row ? { ...row } : null)));
  }

  markUsed(tokenHash: Buffer, at: Date): Promise<void> {
    this.writes += 1;
    for (const row of this.rows) if (row.tokenHash.equals(tokenHash) && row.lastUsedAt < at) row.lastUsedAt = at;
    return Promise.resolve();
  }

  async remove(tokenHash: Buffer): Promise<ConsoleSession | null> {
    const row = await this.find(tokenHash);
    this.rows = this.rows.filter((one) => !one.tokenHash.equals(tokenHash));
    return row;
  }

  removeUnused(before: Date, limit: number): Promise<number> {
    const unused = this.rows
      .filter(({ lastUsedAt }) => lastUsedAt < before)
      .sort(latestFirst)
      .slice(-limit);
    this.rows = this.rows.filter((row) => !unused.includes(row));
    return Promise.resolve(unused.length);
  }
}

function latestFirst(one: ConsoleSession, other: ConsoleSession): number {
  return other.lastUsedAt.getTime() - one.lastUsedAt.getTime();
}
