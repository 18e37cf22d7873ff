import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { DatabaseIdentity } from '../../../infra/database/database-identity';
import { HealthChecks } from '../../../infra/health/health-checks';

/** Whether the operator says that events of a restored database may leave: EVENTS_AFTER_RESTORE. */
export abstract class EventsAfterRestoreSetting {
  abstract readonly confirmed: boolean;
}

const WITHHELD =
  'no events are delivered: this database was restored, and the original may deliver to the same endpoints; to ' +
  'deliver from here, start once with EVENTS_AFTER_RESTORE=true';

const ANY_ENDPOINT = `SELECT 1 FROM webhook_endpoints WHERE status = 'Enabled' LIMIT 1`;

/** Reports that a restored database delivers no events, and confirms that it may. The statements that lease endpoints hold to it. */
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
      check: async () => ((await this.isMissed()) ? { ok: false, reason: WITHHELD } : { ok: true }),
    });
  }

  /** After every module has looked whether the database was restored. */
  async onApplicationBootstrap(): Promise<void> {
    if (await this.identity.deliversEvents()) return;
    if (!this.setting.confirmed) {
      if (await this.isMissed()) this.logger.warn(WITHHELD);
      return;
    }
    await this.identity.confirmEvents();
    this.logger.warn('EVENTS_AFTER_RESTORE is set: events of this restored database are now delivered. Unset it');
  }

  /** Whether there is an endpoint that would get events. */
  private async isMissed(): Promise<boolean> {
    if (await this.identity.deliversEvents()) return false;
    return (await this.database.rows(ANY_ENDPOINT)).length > 0;
  }
}
