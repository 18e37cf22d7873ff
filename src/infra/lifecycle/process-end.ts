import type { Logger } from 'pino';

/** How a process ends. */
export interface ProcessEnd {
  logger: Logger;
  /** After this time the process ends with an error, even if it has not finished. */
  finishWithinMs: number;
  /** Finishes the work under way and closes everything. */
  finish: () => Promise<void>;
}

/**
 * Ends the process on SIGTERM or SIGINT: with 0 if everything was finished, with 1 if it was not in time. A second
 * signal ends it at once with 1, and so does any uncaught error, with a log line: a process in an unknown state
 * must not continue to send.
 */
export function endOnSignals({ logger, finishWithinMs, finish }: ProcessEnd): void {
  let ending = false;
  const end = (signal: string): void => {
    if (ending) {
      logger.warn(`${signal} again: ending at once`);
      process.exit(1);
    }
    ending = true;
    logger.info(`${signal}: finishing the work in flight`);
    setTimeout(() => {
      const unfinished = `Not finished within ${finishWithinMs / 1000} s, ending anyway`;
      logger.error(
        `${unfinished}: messages in flight become Unknown until a status report or the end of the grace period settles them`,
      );
      process.exit(1);
    }, finishWithinMs);
    finish().then(
      () => {
        logger.info('Finished');
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'The service could not be stopped cleanly');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(signal));
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'Uncaught exception: the process ends');
    process.exit(1);
  });
  process.on('unhandledRejection', (reason) => {
    logger.fatal({ err: reason }, 'Unhandled rejection: the process ends');
    process.exit(1);
  });
}
