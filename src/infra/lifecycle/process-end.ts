import type { Logger } from 'pino';

/** How a process comes to its end. */
export interface ProcessEnd {
  logger: Logger;
  /** What is not finished after this time is given up, and the process says so. */
  finishWithinMs: number;
  /** Finishes what was begun and closes everything. */
  finish: () => Promise<void>;
}

/**
 * Ends the process at SIGTERM or SIGINT: 0 when everything could be finished, 1 when it could not be in time. A second
 * signal ends it at once with 1, and so does, with a line in the log, whatever nobody caught: a process in a state that
 * nobody thought of must not go on sending.
 */
export function endOnSignals({ logger, finishWithinMs, finish }: ProcessEnd): void {
  let ending = false;
  const end = (signal: string): void => {
    if (ending) {
      logger.warn(`${signal} once more: ending at once`);
      process.exit(1);
    }
    ending = true;
    logger.info(`${signal}: finishing what is in flight`);
    setTimeout(() => {
      const unfinished = `Not finished within ${finishWithinMs / 1000} s, ending nevertheless`;
      logger.error(`${unfinished}: what was in flight becomes Unknown and is settled by its trace or its grace time`);
      process.exit(1);
    }, finishWithinMs);
    finish().then(
      () => {
        logger.info('Finished');
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'The service could not be closed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(signal));
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'An error that nobody caught: the process ends');
    process.exit(1);
  });
  process.on('unhandledRejection', (reason) => {
    logger.fatal({ err: reason }, 'A rejection that nobody handled: the process ends');
    process.exit(1);
  });
}
