import { AsyncLocalStorage } from 'node:async_hooks';
import { LaneQueue } from '../domain/lane-queue.port';

/** Knocks inside one process: the one that hears them is the one that gives them. */
export class InProcessLaneQueue extends LaneQueue {
  /** A lane outlives the request or transaction that woke it: it must not run in its context. */
  private readonly detached = AsyncLocalStorage.snapshot();
  private handler: ((senderId: string) => void) | null = null;

  knock(senderId: string): void {
    const { handler } = this;
    // Later, so that whoever knocks is not held up.
    if (handler) this.detached(() => setImmediate(() => handler(senderId)));
  }

  onKnock(handler: (senderId: string) => void): void {
    this.handler = handler;
  }

  close(): Promise<void> {
    this.handler = null;
    return Promise.resolve();
  }
}
