import { Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import { PlatformContact } from '../cloud-api/platform-contact';
import { DatabaseHealth } from '../database/database-health';
import { Shutdown } from '../lifecycle/shutdown';
import { SharedRedis } from '../redis/shared-redis';
import { repeatedWork } from '../../kernel/repeated-work';
import { type Health, HealthChecks } from './health-checks';

const DATABASE_PATIENCE_MS = 1900;
/** Background work that failed so often in a row does not work. */
const FAILURES_IN_ROW = 10;
const LONGEST_REASON = 200;

/**
 * The checks of every process. Only the database is required: without Redis each process enforces the limits
 * on its own and finds work by sweeping, while the platform is unavailable messages wait, and of background work that fails here other
 * processes do their part.
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
      check: () => (shutdown.draining ? { ok: false, reason: 'is shutting down' } : { ok: true }),
    });
    checks.register({ name: 'database', required: true, check: () => database.check(DATABASE_PATIENCE_MS) });
    if (redis) checks.register({ name: 'redis', required: false, check: () => redis.check() });
    checks.register({ name: 'platform', required: false, check: () => platform.check() });
    checks.register({ name: 'background_work', required: false, check: backgroundWorkHealth });
  }
}

/** Names the background work that failed ten times in a row, with the last reason. */
export function backgroundWorkHealth(): Health {
  const failing = repeatedWork().filter(({ failuresInRow }) => failuresInRow >= FAILURES_IN_ROW);
  if (failing.length === 0) return { ok: true };
  const sentences = failing.map(({ name, failuresInRow, reason }) => {
    return `${name} failed ${failuresInRow} times in a row: ${reason?.slice(0, LONGEST_REASON)}`;
  });
  return { ok: false, reason: sentences.join('; ') };
}
