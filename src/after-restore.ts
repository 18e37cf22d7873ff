import 'reflect-metadata';
import { readCommandLine } from './command-line';
import { AfterRestore } from './modules/delivery/domain/after-restore.service';
import { runProgram, withParts } from './program';

readCommandLine('after-restore', 'Stops whatever a restored database would send again, says what that was, and ends.');

/** `npm run after-restore`: stops whatever a restored database would send again, says what that was, and ends. */
runProgram((parts) =>
  withParts(parts, async (app) => {
    const { logger } = parts;
    const stopped = await app.get(AfterRestore).run('restored');
    const { jobs, singleSends, knownUntil } = stopped!;
    logger.info({ jobs }, `Paused unfinished jobs: ${jobs}. Each waits for POST /bulk-jobs/{jobId}/resume or /cancel`);
    logger.info({ singleSends }, `Single sends that were open and are Unknown now: ${singleSends}`);
    logger.info(
      { knownUntil },
      `Last record of the database: ${knownUntil?.toISOString() ?? 'none'}. What was sent later is unknown to it`,
    );
    logger.info(
      'What jobs were sending becomes Unknown when a worker starts. Next steps: "Backup and restore" in docs/operations.md',
    );
  }),
);
