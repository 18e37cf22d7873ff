import { Injectable } from '@nestjs/common';

/** Says in this process that the templates of an account should be looked at anew; the regular sync finds what nobody heard. */
@Injectable()
export class SyncSignal {
  private readonly listeners = new Set<(accountId: string) => void>();

  /** Call it after the commit of what made it necessary. */
  wanted(accountId: string): void {
    for (const listener of this.listeners) listener(accountId);
  }

  /** Calls `listener` for each signal until the returned function is called. */
  onWanted(listener: (accountId: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
