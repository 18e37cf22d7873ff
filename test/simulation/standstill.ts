import { setTimeout as delay } from 'node:timers/promises';

/** An operation in progress on a real database. */
export interface Operation {
  pid: number | null;
  /** It waits for a lock or a connection, which only an event in virtual time can release. */
  isBlocked: boolean;
  done: Promise<void>;
}

const PATIENCE_MS = 8;

/** Stops virtual time while a real database works. */
export class Standstill {
  private readonly operations = new Set<Operation>();

  constructor(private readonly blockedPids: () => Promise<Set<number>>) {}

  /** Stops virtual time during `work`, which sets its connection, except while that waits for a lock or a connection. */
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

  /** Locks may have been released: blocked operations continue. */
  unblock(): void {
    for (const operation of this.operations) if (operation.pid !== null) operation.isBlocked = false;
  }

  /** Resolves when no operation can continue without virtual time; `onBlocked` receives those newly blocked by a lock. */
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
