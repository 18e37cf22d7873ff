import { join } from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Settings } from '../../../config/settings';
import { CloudApiPlatformMedia } from './adapters/cloud-api-platform-media';
import { DiskMediaStore } from './adapters/disk-media-store';
import { MediaCheck } from './adapters/media-check';
import { InboundMediaWorker, MediaRole } from './adapters/inbound-media-worker';
import { MediaController } from './adapters/media.controller';
import { TypeOrmInboundMediaStore } from './adapters/typeorm-inbound-media-store';
import { InboundMedia } from './domain/inbound-media.service';
import { InboundMediaStore } from './domain/inbound-media-store.port';
import { MediaFetches } from './domain/media-fetches.service';
import { MediaStore } from './domain/media-store.port';
import { MediaUploads } from './domain/media-uploads.service';
import { PlatformMedia } from './domain/platform-media.port';

/** Media: files that go to the platform to be sent, and files that people sent, fetched from there and kept. */
@Module({})
export class MediaModule {
  /** Registered once, by the root; whoever receives or erases messages has its services. */
  static register({ dataDir, role }: Pick<Settings, 'dataDir' | 'role'>): DynamicModule {
    return {
      module: MediaModule,
      global: true,
      controllers: [MediaController],
      providers: [
        InboundMedia,
        InboundMediaWorker,
        MediaCheck,
        MediaFetches,
        MediaUploads,
        { provide: MediaRole, useValue: { worksOnFiles: role !== 'api' } satisfies MediaRole },
        { provide: PlatformMedia, useClass: CloudApiPlatformMedia },
        { provide: InboundMediaStore, useClass: TypeOrmInboundMediaStore },
        { provide: MediaStore, useValue: new DiskMediaStore(join(dataDir, 'media')) },
      ],
      exports: [InboundMedia],
    };
  }
}
