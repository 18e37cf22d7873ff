import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { ASK_EVERY_MS, reasonOf } from './connection-gate';
import { DatabaseUnreachableError } from './postgres-connection';
import { isTransientError } from './transient-error';

/** As long as a database is waited for that accepts connections and loses them again. */
const PATIENCE_MS = 60_000;

/**
 * Runs a step of the start, and again from its beginning where the database was lost in the middle of it; for 60 s after the first loss.
 * The step must leave nothing open when it rejects. Rejects with its other errors, and with DatabaseUnreachableError, at once.
 */
export async function repeatWhileLost<T>(step: () => Promise<T>): Promise<T> {
  let deadline: number | null = null;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      deadline ??= performance.now() + PATIENCE_MS;
      // The connecting has had its own patience.
      if (!isTransientError(error) || error instanceof DatabaseUnreachableError) throw error;
      if (performance.now() > deadline) throw error;
      new Logger('Start').warn(`The database connection was lost during startup (${reasonOf(error)}): starting over`);
      await wait(ASK_EVERY_MS);
    }
  }
}
