import type { Logger } from 'pino';

/** How a process ends. */
export interface ProcessEnd {
  logger: Logger;
  /** After this time the process ends with an error, even if it has not finished. */
  finishWithinMs: number;
  /** Finishes the work under way and closes everything. */
  finish: () => Promise<void>;
}

/** A signal of the terminal comes twice under `npm start`: npm passes it on to a service that has it already. */
const SAME_SIGNAL_MS = 1000;

/**
 * Ends the process on SIGTERM or SIGINT: with 0 if everything was finished, with 1 if it was not in time. Another
 * signal, more than a second later, ends it at once with 1, and so does any uncaught error, with a log line: a process in an
 * unknown state must not continue to send.
 */
export function endOnSignals({ logger, finishWithinMs, finish }: ProcessEnd): void {
  let endingSince: number | undefined;
  const end = (signal: string): void => {
    if (endingSince !== undefined) {
      if (performance.now() - endingSince < SAME_SIGNAL_MS) return;
      logger.warn(`${signal} again: exiting immediately`);
      process.exit(1);
    }
    endingSince = performance.now();
    logger.info(`${signal}: finishing work in flight`);
    setTimeout(() => {
      const unfinished = `Not finished within ${finishWithinMs / 1000} s, exiting anyway`;
      logger.error(
        `${unfinished}: messages in flight become Unknown until a status or the end of the grace period settles them`,
      );
      process.exit(1);
    }, finishWithinMs);
    finish().then(
      () => {
        logger.info('Finished');
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'The service did not stop cleanly');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(signal));
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'Uncaught exception: exiting');
    process.exit(1);
  });
  process.on('unhandledRejection', (reason) => {
    logger.fatal({ err: reason }, 'Unhandled rejection: exiting');
    process.exit(1);
  });
}
