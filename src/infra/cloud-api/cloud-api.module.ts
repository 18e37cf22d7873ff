import { type DynamicModule, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { CloudApiClient, type CloudApiOptions } from './cloud-api-client';
import { PlatformContact } from './platform-contact';

/** Closes the connections after everything that sends has stopped. */
@Injectable()
class CloudApiShutdown implements OnApplicationShutdown {
  constructor(private readonly client: CloudApiClient) {}

  onApplicationShutdown(): Promise<void> {
    return this.client.close();
  }
}

/** Provides the client of the platform to every module. */
@Module({})
export class CloudApiModule {
  /** Registers the client and the platform's availability globally; the client is closed when the application stops. */
  static register(options: CloudApiOptions): DynamicModule {
    return {
      module: CloudApiModule,
      global: true,
      providers: [
        {
          provide: PlatformContact,
          inject: [Clock],
          useFactory: (clock: Clock) => new PlatformContact(new URL(options.baseUrl), clock),
        },
        {
          provide: CloudApiClient,
          inject: [PlatformContact],
          useFactory: (contact: PlatformContact) =>
            new CloudApiClient({ ...options, heard: (reply) => contact.heard(reply) }),
        },
        CloudApiShutdown,
      ],
      exports: [CloudApiClient, PlatformContact],
    };
  }
}
