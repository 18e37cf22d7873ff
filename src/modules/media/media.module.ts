import { join } from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Settings } from '../../../config/settings';
import { AccountMedia } from './adapters/account-media';
import { CloudApiPlatformMedia } from './adapters/cloud-api-platform-media';
import { DiskMediaStore } from './adapters/disk-media-store';
import { MediaStoreUpkeep } from './adapters/media-store-upkeep';
import { S3MediaStore } from './adapters/s3-media-store';
import { InboundMediaWorker, MediaRole } from './adapters/inbound-media-worker';
import { MediaController } from './adapters/media.controller';
import { PostgresInboundMediaStore } from './adapters/postgres-inbound-media-store';
import { InboundMedia } from './domain/inbound-media';
import { InboundMediaStore } from './domain/inbound-media-store.port';
import { MediaFetches } from './domain/media-fetches';
import { MAX_MEDIA_BYTES } from './domain/received-bytes';
import { MediaStore } from './domain/media-store.port';
import { MediaUploads } from './domain/media-uploads';
import { PlatformMedia } from './domain/platform-media.port';
import { SentMedia } from './domain/sent-media';

/** Uploads outgoing files to the platform and reads them there; fetches and stores inbound files. */
@Module({})
export class MediaModule {
  /** Registered once, by the root. Global, because other modules receive and erase messages with files. */
  static register({ dataDir, mediaBucket, role }: Pick<Settings, 'dataDir' | 'mediaBucket' | 'role'>): DynamicModule {
    return {
      module: MediaModule,
      global: true,
      controllers: [MediaController],
      providers: [
        AccountMedia,
        InboundMedia,
        InboundMediaWorker,
        MediaStoreUpkeep,
        MediaFetches,
        MediaUploads,
        SentMedia,
        { provide: MediaRole, useValue: { processesFiles: role !== 'api' } satisfies MediaRole },
        { provide: PlatformMedia, useClass: CloudApiPlatformMedia },
        { provide: InboundMediaStore, useClass: PostgresInboundMediaStore },
        {
          provide: MediaStore,
          useValue: mediaBucket
            ? new S3MediaStore(mediaBucket)
            : new DiskMediaStore(join(dataDir, 'media'), MAX_MEDIA_BYTES),
        },
      ],
      exports: [InboundMedia, SentMedia],
    };
  }
}
