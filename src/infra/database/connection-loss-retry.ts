import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { RETRY_EVERY_MS, reasonOf } from './connection-gate';
import { NoSpaceError } from './disk-reserve';
import { DatabaseUnreachableError } from './postgres-connection';
import { isTransientError } from './transient-error';

/** Limit for a database that accepts connections and drops them again. */
const GIVE_UP_AFTER_MS = 60_000;

/**
 * Runs a startup step and repeats it if the database connection is lost meanwhile, for 60 s after the first loss. The step must leave
 * nothing open when it rejects. Rejects immediately with other errors, and with DatabaseUnreachableError and NoSpaceError.
 */
export async function retryOnConnectionLoss<T>(step: () => Promise<T>): Promise<T> {
  let deadline: number | null = null;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      deadline ??= performance.now() + GIVE_UP_AFTER_MS;
      // Connecting has already been retried, and a full disk is not a matter of seconds.
      if (!isTransientError(error) || error instanceof DatabaseUnreachableError || error instanceof NoSpaceError)
        throw error;
      if (performance.now() > deadline) throw error;
      new Logger('Start').warn(`The database connection was lost during startup (${reasonOf(error)}): starting over`);
      await wait(RETRY_EVERY_MS);
    }
  }
}
