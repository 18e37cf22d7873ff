import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DatabaseIdentity } from '../../../infra/database/database-identity';
import { AfterRestore } from '../domain/after-restore.service';

/** Whether the operator says that the database was restored: AFTER_RESTORE. */
export abstract class RestoreSetting {
  abstract readonly told: boolean;
}

/** Looks at each start, before lanes run and requests are answered, whether the database was restored from a backup. */
@Injectable()
export class RestoreAtStart implements OnModuleInit {
  private readonly logger = new Logger('Restore');

  constructor(
    private readonly afterRestore: AfterRestore,
    private readonly identity: DatabaseIdentity,
    private readonly setting: RestoreSetting,
  ) {}

  async onModuleInit(): Promise<void> {
    const { told } = this.setting;
    const stopped = await this.afterRestore.run(told);
    if (stopped) {
      const cause = told
        ? 'AFTER_RESTORE is set (unset it: each start with it does this)'
        : 'This database was restored from a backup';
      this.logger.warn(
        `${cause}: ${stopped.jobs} unfinished jobs are paused, ${stopped.singleSends} open single sends are Unknown. ` +
          `${sentSince(stopped.knownUntil)}. See "Backup and restore" in docs/operations.md`,
      );
    }
    const timeline = await this.identity.changedTimeline();
    if (!timeline) return;
    this.logger.warn(
      `PostgreSQL went from timeline ${timeline.before} to ${timeline.now}: a standby took over, or the server was restored to a ` +
        'point in time. If that lost transactions, messages can be sent twice: then stop the service and run "npm run after-restore"',
    );
  }
}

/** What the database does not know, for people. */
function sentSince(knownUntil: Date | null): string {
  return knownUntil === null
    ? 'It holds no message'
    : `Its last record is from ${knownUntil.toISOString()}: what was sent later is unknown to it`;
}
