import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningSandbox, startSandbox } from '../../libs/platform-sandbox/sandbox';
import { CloudApiClient } from '../../src/infra/cloud-api/cloud-api-client';
import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import type { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { CloudApiPlatformMedia } from '../../src/modules/media/adapters/cloud-api-platform-media';
import { DiskMediaStore } from '../../src/modules/media/adapters/disk-media-store';
import { PostgresInboundMediaStore } from '../../src/modules/media/adapters/postgres-inbound-media-store';
import { InboundMedia } from '../../src/modules/media/domain/inbound-media';
import { MediaFetches } from '../../src/modules/media/domain/media-fetches';

const SENDER = { phoneNumberId: '109876543210001', accessToken: 'sandbox-access-token' } as Sender;

/** The parts of the media module on a test database, folder and platform. */
export class MediaParts {
  readonly accountId = uuidV7();
  readonly unitOfWork: TypeOrmUnitOfWork;
  readonly store: PostgresInboundMediaStore;
  sender = SENDER;
  sandbox: RunningSandbox;
  client: CloudApiClient;
  folder: string;
  platform: CloudApiPlatformMedia;
  files: DiskMediaStore;
  inbound: InboundMedia;
  fetches: MediaFetches;

  constructor(readonly database: Database) {
    this.unitOfWork = new TypeOrmUnitOfWork(database);
    this.store = new PostgresInboundMediaStore(database);
  }

  get senders(): SendersService {
    const sender = () => Promise.resolve(this.sender);
    return { ofAccount: sender, recorded: sender } as unknown as SendersService;
  }

  async start(): Promise<this> {
    this.sandbox = await startSandbox();
    this.folder = await mkdtemp(join(tmpdir(), 'mta-media-'));
    this.client = new CloudApiClient({ baseUrl: this.sandbox.url, version: 'v25.0', timeoutMs: 5_000 });
    this.platform = new CloudApiPlatformMedia(this.client);
    this.files = new DiskMediaStore(join(this.folder, 'media'), 1);
    this.inbound = new InboundMedia(this.store, this.files, this.unitOfWork);
    this.fetches = this.fetchesFrom(this.platform);
    return this;
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.sandbox.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  fetchesFrom(platform: CloudApiPlatformMedia, files = this.files, senders = this.senders): MediaFetches {
    return new MediaFetches(this.store, files, platform, senders, new SystemClock());
  }

  /** Adds a file to the platform, as if a person had sent it; returns its media id. */
  async sentByPerson(content: Buffer, mimeType = 'image/jpeg'): Promise<string> {
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('file', new Blob([new Uint8Array(content)], { type: mimeType }), 'a');
    const answer = await fetch(`${this.sandbox.url}/v25.0/${SENDER.phoneNumberId}/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SENDER.accessToken}` },
      body: form,
    });
    return ((await answer.json()) as { id: string }).id;
  }

  /** Makes pending retries due now. */
  async passTime(): Promise<void> {
    await this.database.execute('UPDATE inbound_media SET next_try_at = now() WHERE next_try_at IS NOT NULL');
  }

  /** Whether exactly this is stored for a message. */
  async holds(messageId: string, content: Buffer): Promise<boolean> {
    const opened = await this.inbound.open(this.accountId, messageId);
    const chunks: Uint8Array[] = [];
    for await (const chunk of opened.content) chunks.push(chunk);
    return Buffer.concat(chunks).equals(content);
  }
}
