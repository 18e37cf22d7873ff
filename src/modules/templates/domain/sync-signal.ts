import { Injectable } from '@nestjs/common';

/** Requests syncs of an account's templates in this process. The regular sync covers lost requests. */
@Injectable()
export class SyncSignal {
  private readonly listeners = new Set<(accountId: string) => void>();

  /** Must be called after the commit of the change that requires the sync. */
  request(accountId: string): void {
    for (const listener of this.listeners) listener(accountId);
  }

  /** Calls `listener` for each signal until the returned function is called. */
  onRequest(listener: (accountId: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
