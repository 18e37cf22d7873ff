import { AsyncLocalStorage } from 'node:async_hooks';
import { LaneQueue } from '../domain/lane-queue.port';

/** Wake-ups inside one process: the process that sends them receives them. */
export class InProcessLaneQueue extends LaneQueue {
  /** A lane outlives the request or transaction that woke it, so it must not run in its async context. */
  private readonly detached = AsyncLocalStorage.snapshot();
  private handler: ((senderId: string) => void) | null = null;

  wake(senderId: string): void {
    const { handler } = this;
    // Deferred, so that the caller does not wait.
    if (handler) this.detached(() => setImmediate(() => handler(senderId)));
  }

  onWake(handler: (senderId: string) => void): void {
    this.handler = handler;
  }

  close(): Promise<void> {
    this.handler = null;
    return Promise.resolve();
  }
}
