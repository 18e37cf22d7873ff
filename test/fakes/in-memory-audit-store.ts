import type { Slice } from '../../src/kernel/page';
import { beforeMoment, encodeCursor, type TimeCursor } from '../../src/kernel/time-cursor';
import type { AuditEntry, AuditFilter, NewAuditEntry } from '../../src/modules/accounts/domain/audit-entry';
import { AuditStore } from '../../src/modules/accounts/domain/audit-store.port';

/** The audit log in memory. */
export class InMemoryAuditStore extends AuditStore {
  entries: AuditEntry[] = [];

  /** `keyNames`: names of the keys by id. */
  constructor(private readonly keyNames: ReadonlyMap<string, string> = new Map()) {
    super();
  }

  add({ keyId, ...entry }: NewAuditEntry): Promise<void> {
    this.entries.push({ ...entry, keyName: this.keyNames.get(keyId ?? '') ?? null });
    return Promise.resolve();
  }

  slice(filter: AuditFilter, after: TimeCursor | null, limit: number): Promise<Slice<AuditEntry>> {
    const { accountId, createdAfter, createdBefore, action, keyPrefix, targetId } = filter;
    const rest = this.entries
      .filter((entry) => accountId === null || entry.accountId === accountId)
      .filter((entry) => createdAfter === undefined || entry.createdAt >= createdAfter)
      .filter((entry) => createdBefore === undefined || entry.createdAt < createdBefore)
      .filter((entry) => action === undefined || entry.action === action)
      .filter((entry) => keyPrefix === undefined || entry.keyPrefix === keyPrefix)
      .filter((entry) => targetId === undefined || entry.targetId === targetId)
      .map((entry) => ({ entry, position: { ...beforeMoment(entry.createdAt), id: entry.id } }))
      .filter(({ position }) => after === null || textOf(position) < textOf(after))
      .sort((a, b) => (textOf(a.position) < textOf(b.position) ? 1 : -1));
    const last = rest.length > limit ? rest[limit - 1] : undefined;
    return Promise.resolve({
      items: rest.slice(0, limit).map(({ entry }) => entry),
      nextCursor: last ? encodeCursor(last.position) : null,
    });
  }

  removeBefore(before: Date, limit: number): Promise<number> {
    const old = this.entries
      .filter(({ createdAt }) => createdAt < before)
      .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
      .slice(0, limit);
    this.entries = this.entries.filter((entry) => !old.includes(entry));
    return Promise.resolve(old.length);
  }
}

function textOf({ at, id }: TimeCursor): string {
  return `${at} ${id}`;
}
