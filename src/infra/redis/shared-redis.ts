import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { Clock } from '../../kernel/clock';

const COMMAND_TIMEOUT_MS = 250;
const RETRY_AFTER_MS = 1000;
const CHECK_KEY = 'mta:health';
const CHECK_KEY_MS = 1000;

type ScriptCommand = (key: string, ...values: (string | number)[]) => Promise<unknown>;

/**
 * Shared state in Redis: only limits, never the source of truth. A call completes within 250 ms or reports Redis as unavailable; then
 * calls fail immediately for a second.
 */
export class SharedRedis implements OnApplicationShutdown {
  private readonly logger = new Logger(SharedRedis.name);
  private readonly redis: Redis;
  private readonly commands = new Map<string, ScriptCommand>();
  private failFastUntil = -Infinity;
  private isUnavailable = false;

  constructor(
    url: string,
    private readonly clock: Clock,
  ) {
    this.redis = new Redis(url, {
      // Requests do not wait for a connection.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 2_000,
      disconnectTimeout: 200,
      commandTimeout: COMMAND_TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    });
    this.redis.on('error', (error: Error) => this.markUnavailable(error));
  }

  /** Runs a Lua script on one key; null while Redis is unavailable. */
  async run<T>(script: string, key: string, ...values: (string | number)[]): Promise<T | null> {
    if (this.redis.status !== 'ready' || this.clock.monotonic() < this.failFastUntil) return null;
    try {
      const answer = (await this.commandOf(script)(key, ...values)) as T;
      this.markAvailable();
      return answer;
    } catch (error) {
      // After one timeout, others fail without waiting.
      this.failFastUntil = this.clock.monotonic() + RETRY_AFTER_MS;
      this.markUnavailable(error as Error);
      return null;
    }
  }

  /** Whether Redis accepts writes, which a full one or a replica does not; `reason` says why not. */
  async check(): Promise<{ ok: true } | { ok: false; reason: string }> {
    if (this.redis.status !== 'ready') return { ok: false, reason: 'not connected' };
    try {
      await this.redis.set(CHECK_KEY, 1, 'PX', CHECK_KEY_MS);
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  /** Sends a script once and then only its hash; resends it to a server that lacks it. */
  private commandOf(script: string): ScriptCommand {
    const known = this.commands.get(script);
    if (known) return known;
    const name = `script${this.commands.size}`;
    this.redis.defineCommand(name, { numberOfKeys: 1, lua: script });
    const command = (this.redis as unknown as Record<string, ScriptCommand>)[name]!.bind(this.redis);
    this.commands.set(script, command);
    return command;
  }

  private markUnavailable(error: Error): void {
    if (!this.isUnavailable) this.logger.warn(`Redis is unavailable; limits apply per process: ${error.message}`);
    this.isUnavailable = true;
  }

  private markAvailable(): void {
    if (this.isUnavailable) this.logger.log('Redis is available again; limits are shared again');
    this.isUnavailable = false;
  }
}
