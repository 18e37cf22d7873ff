import { Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import { PlatformReachability } from '../cloud-api/platform-reachability';
import { DatabaseHealth } from '../database/database-health';
import { Shutdown } from '../lifecycle/shutdown';
import { SharedRedis } from '../redis/shared-redis';
import { backgroundWork } from '../../kernel/background-work';
import { type Health, HealthChecks } from './health-checks';

const DATABASE_TIMEOUT_MS = 1900;
/** Consecutive failures after which background work counts as broken. */
const FAILURES_IN_ROW = 10;
const MAX_REASON_LENGTH = 200;

/**
 * The checks of every process. Only the database is required: without Redis each process enforces limits on its own and polls for
 * work, messages wait while the platform is unavailable, and other processes take over background work that fails here.
 */
@Injectable()
export class ServiceChecks implements OnModuleInit {
  constructor(
    private readonly checks: HealthChecks,
    private readonly shutdown: Shutdown,
    private readonly database: DatabaseHealth,
    private readonly platform: PlatformReachability,
    @Optional() private readonly redis?: SharedRedis,
  ) {}

  onModuleInit(): void {
    const { checks, database, platform, redis, shutdown } = this;
    checks.register({
      name: 'process',
      required: true,
      check: () => (shutdown.draining ? { ok: false, reason: 'is shutting down' } : { ok: true }),
    });
    checks.register({ name: 'database', required: true, check: () => database.check(DATABASE_TIMEOUT_MS) });
    if (redis) checks.register({ name: 'redis', required: false, check: () => redis.check() });
    checks.register({ name: 'platform', required: false, check: () => platform.check() });
    checks.register({ name: 'background_work', required: false, check: backgroundWorkHealth });
  }
}

/** Fails with the names and last errors of background work that failed ten times in a row. */
export function backgroundWorkHealth(): Health {
  const failing = backgroundWork().filter(({ failuresInRow }) => failuresInRow >= FAILURES_IN_ROW);
  if (failing.length === 0) return { ok: true };
  const sentences = failing.map(({ name, failuresInRow, reason }) => {
    return `${name} failed ${failuresInRow} times in a row: ${reason?.slice(0, MAX_REASON_LENGTH)}`;
  });
  return { ok: false, reason: sentences.join('; ') };
}
