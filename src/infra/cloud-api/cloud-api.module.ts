import { type DynamicModule, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { CloudApiClient, type CloudApiOptions } from './cloud-api-client';
import { PlatformReachability } from './platform-reachability';

/** Closes the connections once everything that sends has stopped. */
@Injectable()
class CloudApiShutdown implements OnApplicationShutdown {
  constructor(private readonly client: CloudApiClient) {}

  onApplicationShutdown(): Promise<void> {
    return this.client.close();
  }
}

/** Provides the platform client to every module. */
@Module({})
export class CloudApiModule {
  /** Registers the client and the platform's reachability globally; closes the client when the application stops. */
  static register(options: CloudApiOptions): DynamicModule {
    return {
      module: CloudApiModule,
      global: true,
      providers: [
        {
          provide: PlatformReachability,
          inject: [Clock],
          useFactory: (clock: Clock) => new PlatformReachability(new URL(options.baseUrl), clock),
        },
        {
          provide: CloudApiClient,
          inject: [PlatformReachability],
          useFactory: (reachability: PlatformReachability) =>
            new CloudApiClient({ ...options, onReply: (reply) => reachability.record(reply) }),
        },
        CloudApiShutdown,
      ],
      exports: [CloudApiClient, PlatformReachability],
    };
  }
}
