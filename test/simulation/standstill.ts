import { setTimeout as delay } from 'node:timers/promises';

/** Something that is under way on a real database. */
export interface Operation {
  pid: number | null;
  /** It waits for a lock or a connection, that is for something that happens in virtual time. */
  isBlocked: boolean;
  done: Promise<void>;
}

const PATIENCE_MS = 8;

/** Keeps virtual time standing still while a real database is at work. */
export class Standstill {
  private readonly operations = new Set<Operation>();

  constructor(private readonly blockedPids: () => Promise<Set<number>>) {}

  /** Virtual time stands still during `work`, which says which connection it uses, and while that waits for none. */
  async during<T>(work: (operation: Operation) => Promise<T>): Promise<T> {
    let end: () => void = () => undefined;
    const done = new Promise<void>((resolve) => (end = resolve));
    const operation: Operation = { pid: null, isBlocked: false, done };
    this.operations.add(operation);
    try {
      return await work(operation);
    } finally {
      this.operations.delete(operation);
      end();
    }
  }

  /** Locks may have become free: what waited for them goes on. */
  unblock(): void {
    for (const operation of this.operations) if (operation.pid !== null) operation.isBlocked = false;
  }

  /** Resolves when nothing goes on without virtual time going on; `onBlocked` hears what began to wait for a lock. */
  async reached(onBlocked: (operation: Operation) => void): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const running = [...this.operations].filter(({ isBlocked }) => !isBlocked);
      if (running.length === 0) return;
      const patience = new AbortController();
      const isOver = await Promise.race([
        ...running.map(({ done }) => done.then(() => false)),
        delay(PATIENCE_MS, true, { signal: patience.signal }).catch(() => false),
      ]);
      patience.abort();
      if (!isOver) continue;
      const blocked = await this.blockedPids();
      for (const operation of running) {
        if (operation.pid === null || !blocked.has(operation.pid)) continue;
        operation.isBlocked = true;
        onBlocked(operation);
      }
    }
  }
}
