import 'reflect-metadata';
import { readCommandLine } from './command-line';
import { AfterRestore } from '../modules/delivery/domain/after-restore';
import { runProgram, withParts } from './program';

readCommandLine('after-restore', 'Stops everything that a restored database would send again, reports it, and exits.');

/** `npm run after-restore`: stops everything that a restored database would send again, reports it and exits. */
runProgram((parts) =>
  withParts(parts, async (app) => {
    const { logger } = parts;
    const stopped = await app.get(AfterRestore).run('restored');
    const { jobs, singleSends, knownUntil } = stopped!;
    logger.info(
      { jobs },
      `Paused unfinished jobs: ${jobs}. Resume or cancel each: POST /bulk-jobs/{jobId}/resume or /cancel`,
    );
    logger.info({ singleSends }, `Open single sends, now Unknown: ${singleSends}`);
    logger.info(
      { knownUntil },
      `Last record of the database: ${knownUntil?.toISOString() ?? 'none'}. Later sends are not recorded`,
    );
    logger.info(
      'Messages that jobs were sending become Unknown when a worker starts. Next steps: "Backup and restore" in ' +
        'docs/operations.md',
    );
  }),
);
