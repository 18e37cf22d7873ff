import { type ParkedUpdate, ParkedUpdates } from '../../src/modules/platform-webhook/domain/parked-updates.port';

/** Simulates an error of an unavailable or busy database. */
export class TransientError extends Error {}

/** Parked reports in memory. */
export class ParkedInMemory extends ParkedUpdates {
  readonly parked: ParkedUpdate[] = [];

  park(update: ParkedUpdate): Promise<void> {
    this.parked.push(update);
    return Promise.resolve();
  }

  isTransient(error: unknown): boolean {
    return error instanceof TransientError;
  }
}
