import { type ParkedUpdate, ParkedUpdates } from '../../src/modules/chat-history/domain/parked-updates.port';

/** The database is away or busy, as far as a test is concerned. */
export class PassingFault extends Error {}

/** What was put aside, in memory. */
export class ParkedInMemory extends ParkedUpdates {
  readonly parked: ParkedUpdate[] = [];

  park(update: ParkedUpdate): Promise<void> {
    this.parked.push(update);
    return Promise.resolve();
  }

  isPassing(error: unknown): boolean {
    return error instanceof PassingFault;
  }
}
