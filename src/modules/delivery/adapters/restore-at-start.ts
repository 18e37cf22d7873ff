import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { AfterRestore } from '../domain/after-restore.service';
import { RestoredDatabase } from '../domain/restored-database.port';

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
    private readonly database: RestoredDatabase,
    private readonly setting: RestoreSetting,
  ) {}

  async onModuleInit(): Promise<void> {
    const { told } = this.setting;
    await this.database.look();
    const stopped = await this.afterRestore.run(told ? 'restored' : null);
    if (!stopped) return;
    const cause = told
      ? 'AFTER_RESTORE is set (unset it, or every start does this)'
      : 'This database was restored from a backup or lost its last transactions';
    this.logger.warn(
      `${cause}: ${stopped.jobs} unfinished jobs are paused, ${stopped.singleSends} open single sends are Unknown. ` +
        `${sentSince(stopped.knownUntil)}. See "Backup and restore" in docs/operations.md`,
    );
  }
}

/** What the database does not know, for people. */
function sentSince(knownUntil: Date | null): string {
  return knownUntil === null
    ? 'It has no messages'
    : `Its last record is from ${knownUntil.toISOString()}; later sends are not recorded`;
}
