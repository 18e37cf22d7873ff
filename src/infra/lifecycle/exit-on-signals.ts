import type { Logger } from 'pino';

/** How a process shuts down. */
export interface ShutdownOptions {
  logger: Logger;
  /** After this time the process exits with an error, even if it has not finished. */
  finishWithinMs: number;
  /** Finishes work in flight and closes everything. */
  finish: () => Promise<void>;
}

/** Under `npm start` a terminal signal arrives twice: directly and forwarded by npm. */
const SAME_SIGNAL_MS = 1000;

/**
 * Exits on SIGTERM or SIGINT: with 0 once everything is finished, with 1 on timeout. A second signal, more than a second later,
 * exits immediately with 1, and so does any uncaught error, with a log line: a process in an unknown state must not continue to
 * send.
 */
export function exitOnSignals({ logger, finishWithinMs, finish }: ShutdownOptions): void {
  let stoppingSince: number | undefined;
  const stop = (signal: string): void => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < SAME_SIGNAL_MS) return;
      logger.warn(`${signal} again: exiting immediately`);
      process.exit(1);
    }
    stoppingSince = performance.now();
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
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'Uncaught exception: exiting');
    process.exit(1);
  });
  process.on('unhandledRejection', (reason) => {
    logger.fatal({ err: reason }, 'Unhandled rejection: exiting');
    process.exit(1);
  });
}
