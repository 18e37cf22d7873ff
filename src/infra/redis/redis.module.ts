import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { SharedRedis } from './shared-redis';

/** Provides the shared Redis, if configured, to every module: inject it as optional. */
@Module({})
export class RedisModule {
  static register(options: { redisUrl?: string }): DynamicModule {
    const { redisUrl } = options;
    if (redisUrl === undefined) return { module: RedisModule, global: true };
    return {
      module: RedisModule,
      global: true,
      providers: [
        { provide: SharedRedis, inject: [Clock], useFactory: (clock: Clock) => new SharedRedis(redisUrl, clock) },
      ],
      exports: [SharedRedis],
    };
  }
}
