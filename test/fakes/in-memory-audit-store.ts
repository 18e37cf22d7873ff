import type { Slice } from '../../src/kernel/page';
import { beforeMoment, encodeCursor, type TimeCursor } from '../../src/kernel/time-cursor';
import type { AuditEntry } from '../../src/modules/accounts/domain/audit-entry';
import { AuditStore } from '../../src/modules/accounts/domain/audit-store.port';

/** The audit log in memory. */
export class InMemoryAuditStore extends AuditStore {
  readonly entries: AuditEntry[] = [];

  add(entry: AuditEntry): Promise<void> {
    this.entries.push(entry);
    return Promise.resolve();
  }

  slice(accountId: string | null, after: TimeCursor | null, limit: number): Promise<Slice<AuditEntry>> {
    const rest = this.entries
      .filter((entry) => accountId === null || entry.accountId === accountId)
      .map((entry) => ({ entry, position: { ...beforeMoment(entry.createdAt), id: entry.id } }))
      .filter(({ position }) => after === null || textOf(position) < textOf(after))
      .sort((a, b) => (textOf(a.position) < textOf(b.position) ? 1 : -1));
    const last = rest.length > limit ? rest[limit - 1] : undefined;
    return Promise.resolve({
      items: rest.slice(0, limit).map(({ entry }) => entry),
      nextCursor: last ? encodeCursor(last.position) : null,
    });
  }
}

function textOf({ at, id }: TimeCursor): string {
  return `${at} ${id}`;
}
