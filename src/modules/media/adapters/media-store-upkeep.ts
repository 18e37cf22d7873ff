import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { HealthChecks } from '../../../infra/health/health-checks';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { InboundMediaStore } from '../domain/inbound-media-store.port';
import { MediaStore } from '../domain/media-store.port';

const HOUR_MS = 3_600_000;
const WITHHELD =
  'removed files are not deleted: this database was restored, and the original may have the same files; to delete them from here, ' +
  'start once with EVENTS_AFTER_RESTORE=true';

/** Reports the health of the media store, and removes unfinished files at the start and every hour. */
@Injectable()
export class MediaStoreUpkeep implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MediaStoreUpkeep.name);
  private readonly loop: Loop;

  constructor(
    private readonly checks: HealthChecks,
    private readonly store: MediaStore,
    private readonly inbound: InboundMediaStore,
    clock: Clock,
  ) {
    this.loop = new Loop({
      name: 'media_store',
      clock,
      everyMs: HOUR_MS,
      round: () => store.removeUnfinished(),
      failed: ({ message }) => this.logger.warn(`Unfinished media files could not be removed, retrying: ${message}`),
    });
  }

  onModuleInit(): void {
    // Not required: files that cannot be stored are retried for days, and nothing else is affected.
    const check = async () => {
      const reason = (await this.store.problem()) ?? ((await this.inbound.withholds()) ? WITHHELD : null);
      return reason === null ? ({ ok: true } as const) : ({ ok: false, reason } as const);
    };
    this.checks.register({ name: 'media', required: false, check });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }
}
