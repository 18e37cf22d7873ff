import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { DatabaseIdentity } from '../../../infra/database/database-identity';
import { HealthChecks } from '../../../infra/health/health-checks';

/** Whether the operator has set EVENTS_AFTER_RESTORE, which allows a restored database to deliver events and to delete received files. */
export abstract class EventsAfterRestoreSetting {
  abstract readonly confirmed: boolean;
}

const WITHHELD =
  'no events are delivered: this database was restored, and the original may deliver to the same endpoints; to ' +
  'deliver from here, start once with EVENTS_AFTER_RESTORE=true';

const ANY_ENDPOINT = `SELECT 1 FROM webhook_endpoints WHERE status = 'Enabled' LIMIT 1`;

/** Reports that a restored database delivers no events, or confirms that it may. The statements that lease endpoints enforce this. */
@Injectable()
export class EventsAfterRestore implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger('Restore');

  constructor(
    private readonly database: Database,
    private readonly identity: DatabaseIdentity,
    private readonly checks: HealthChecks,
    private readonly setting: EventsAfterRestoreSetting,
  ) {}

  onModuleInit(): void {
    this.checks.register({
      name: 'events_after_restore',
      required: false,
      check: async () => ((await this.withholdsEvents()) ? { ok: false, reason: WITHHELD } : { ok: true }),
    });
  }

  /** Runs after the check whether the database was restored. */
  async onApplicationBootstrap(): Promise<void> {
    if (await this.identity.isOriginal()) return;
    if (!this.setting.confirmed) {
      if (await this.withholdsEvents()) this.logger.warn(WITHHELD);
      return;
    }
    await this.identity.confirmOriginal();
    this.logger.warn(
      'EVENTS_AFTER_RESTORE is set: events of this restored database are now delivered, and removed files deleted. Unset it',
    );
  }

  /** Whether an endpoint would receive events if the database were not restored. */
  private async withholdsEvents(): Promise<boolean> {
    if (await this.identity.isOriginal()) return false;
    return (await this.database.rows(ANY_ENDPOINT)).length > 0;
  }
}
