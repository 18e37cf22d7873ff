import { Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import { PlatformContact } from '../cloud-api/platform-contact';
import { DatabaseHealth } from '../database/database-health';
import { Shutdown } from '../lifecycle/shutdown';
import { SharedRedis } from '../redis/shared-redis';
import { HealthChecks } from './health-checks';

const DATABASE_PATIENCE_MS = 1900;

/**
 * The checks of every process. Only the database is required: without Redis each process enforces the limits
 * on its own and finds work by sweeping, and while the platform is unavailable messages wait.
 */
@Injectable()
export class ServiceChecks implements OnModuleInit {
  constructor(
    private readonly checks: HealthChecks,
    private readonly shutdown: Shutdown,
    private readonly database: DatabaseHealth,
    private readonly platform: PlatformContact,
    @Optional() private readonly redis?: SharedRedis,
  ) {}

  onModuleInit(): void {
    const { checks, database, platform, redis, shutdown } = this;
    checks.register({
      name: 'process',
      required: true,
      check: () => (shutdown.begun ? { ok: false, reason: 'is being stopped' } : { ok: true }),
    });
    checks.register({ name: 'database', required: true, check: () => database.check(DATABASE_PATIENCE_MS) });
    if (redis) checks.register({ name: 'redis', required: false, check: () => redis.check() });
    checks.register({ name: 'platform', required: false, check: () => platform.check() });
  }
}
