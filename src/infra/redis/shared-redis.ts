import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { Clock } from '../../kernel/clock';

const COMMAND_TIMEOUT_MS = 250;
const RETRY_AFTER_MS = 1000;

type ScriptCommand = (key: string, ...values: (string | number)[]) => Promise<unknown>;

/**
 * Shared state in Redis: only limits, never the source of truth. A call answers within 250 ms or reports Redis as unavailable; then
 * calls fail at once for a second.
 */
export class SharedRedis implements OnApplicationShutdown {
  private readonly logger = new Logger(SharedRedis.name);
  private readonly redis: Redis;
  private readonly commands = new Map<string, ScriptCommand>();
  private awayUntil = -Infinity;
  private isAway = false;

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
    this.redis.on('error', (error: Error) => this.noteAway(error));
  }

  /** Runs a Lua script on one key; null while Redis is unavailable. */
  async run<T>(script: string, key: string, ...values: (string | number)[]): Promise<T | null> {
    if (this.redis.status !== 'ready' || this.clock.monotonic() < this.awayUntil) return null;
    try {
      const answer = (await this.commandOf(script)(key, ...values)) as T;
      this.noteBack();
      return answer;
    } catch (error) {
      // One call has timed out; others need not wait for a while.
      this.awayUntil = this.clock.monotonic() + RETRY_AFTER_MS;
      this.noteAway(error as Error);
      return null;
    }
  }

  /** Whether Redis answers; `reason` says why not. */
  async check(): Promise<{ ok: true } | { ok: false; reason: string }> {
    if (this.redis.status !== 'ready') return { ok: false, reason: 'not connected' };
    try {
      await this.redis.ping();
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  /** Sends a script once, and only its hash from then on; a server that does not know it gets it again. */
  private commandOf(script: string): ScriptCommand {
    const known = this.commands.get(script);
    if (known) return known;
    const name = `script${this.commands.size}`;
    this.redis.defineCommand(name, { numberOfKeys: 1, lua: script });
    const command = (this.redis as unknown as Record<string, ScriptCommand>)[name]!.bind(this.redis);
    this.commands.set(script, command);
    return command;
  }

  private noteAway(error: Error): void {
    if (!this.isAway) this.logger.warn(`Redis is unavailable; limits apply per process: ${error.message}`);
    this.isAway = true;
  }

  private noteBack(): void {
    if (this.isAway) this.logger.log('Redis is available again; limits are shared again');
    this.isAway = false;
  }
}
