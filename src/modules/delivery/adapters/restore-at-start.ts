import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { AfterRestore } from '../domain/after-restore';
import { RestoredDatabase } from '../domain/restored-database.port';

/** Whether the operator has set AFTER_RESTORE, which declares the database restored. */
export abstract class RestoreSetting {
  abstract readonly forced: boolean;
}

/** Checks at each start, before lanes run and requests are served, whether the database was restored from a backup. */
@Injectable()
export class RestoreAtStart implements OnModuleInit {
  private readonly logger = new Logger('Restore');

  constructor(
    private readonly afterRestore: AfterRestore,
    private readonly database: RestoredDatabase,
    private readonly setting: RestoreSetting,
  ) {}

  async onModuleInit(): Promise<void> {
    const { forced } = this.setting;
    await this.database.isUnchanged();
    const stopped = await this.afterRestore.run(forced ? 'restored' : null);
    if (!stopped) return;
    const cause = forced
      ? 'AFTER_RESTORE is set (unset it, or every start does this)'
      : 'This database was restored from a backup or lost its last transactions';
    this.logger.warn(
      `${cause}: unfinished jobs paused: ${stopped.jobs}; open single sends now Unknown: ${stopped.singleSends}. ` +
        `${sentSince(stopped.knownUntil)}. See "Backup and restore" in docs/operations.md`,
    );
  }
}

/** Describes which sends are missing from the database. */
function sentSince(knownUntil: Date | null): string {
  return knownUntil === null
    ? 'It has no messages'
    : `Its last record is from ${knownUntil.toISOString()}; later sends are not recorded`;
}
