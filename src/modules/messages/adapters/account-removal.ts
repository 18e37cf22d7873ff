import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AccountDeletion } from '../../accounts/domain/account-deletion';
import type { RetentionStep, UpkeepPart } from '../domain/retention';
import { Retention } from '../domain/retention-rounds';

/** Deletes the data of deleted accounts in retention rounds. */
@Injectable()
export class AccountRemoval implements UpkeepPart, OnApplicationBootstrap {
  readonly kind = 'accounts';

  constructor(
    private readonly retention: Retention,
    private readonly deletion: AccountDeletion,
  ) {}

  onApplicationBootstrap(): void {
    this.retention.addUpkeep(this);
  }

  step(cursor: string | null, limit: number): Promise<RetentionStep> {
    return this.deletion.step(cursor, limit);
  }
}
