import { Injectable } from '@nestjs/common';

/**
 * Signals within this process that a sender has something to send. Only an optimization: without a listener, the work
 * is found in the database within seconds.
 */
@Injectable()
export class SenderSignal {
  private readonly listeners = new Set<(senderId: string) => void>();

  /** Call it after the commit that made the work visible. */
  runnable(senderId: string): void {
    for (const listener of this.listeners) listener(senderId);
  }

  /** Calls `listener` for each signal until the returned function is called. */
  onRunnable(listener: (senderId: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
