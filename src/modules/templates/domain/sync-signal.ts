import { Injectable } from '@nestjs/common';

/** Requests a sync of an account's templates in this process. A lost request is made up for by the regular sync. */
@Injectable()
export class SyncSignal {
  private readonly listeners = new Set<(accountId: string) => void>();

  /** Must be called after the commit of the change that requires the sync. */
  wanted(accountId: string): void {
    for (const listener of this.listeners) listener(accountId);
  }

  /** Calls `listener` for each signal until the returned function is called. */
  onWanted(listener: (accountId: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
