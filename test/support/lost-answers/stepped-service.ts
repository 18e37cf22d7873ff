import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { readSettings } from '../../../config/settings';
import { AppModule } from '../../../src/app.module';
import { Database } from '../../../src/infra/database/database';
import { Loop } from '../../../src/kernel/loop';
import { LaneDriver } from '../../../src/modules/delivery/domain/lane-driver';
import { AppSubscriptions } from '../../../src/modules/platform-webhook/adapters/app-subscriptions';
import { PlatformSubscriptions } from '../../../src/modules/platform-webhook/adapters/platform-subscriptions';
import { freshDatabase } from '../process/databases';
import { KEY, platformSettings } from '../process/service';
import { Platform } from '../process/platform';
import { copyOfMigratedDirectory } from '../embedded-copy';
import { LostAnswers } from './lost-answers';

/** Private members of a loop. */
interface SteppedLoop {
  options: { name: string };
  work: { failuresInRow: number; reason: string | null };
  round(): Promise<void>;
  endFirstRound(): void;
}

/** A round that kept failing. */
const MOST_ROUNDS = 4;

/**
 * The whole service in this process, on a real database and the sandbox; its loops run one round on startup, then only
 * on request.
 */
export class SteppedService {
  private constructor(
    private readonly app: INestApplication,
    readonly platform: Platform,
    readonly answers: LostAnswers,
    private readonly callback: WebhookAddress,
    private readonly removed: () => Promise<void>,
    private readonly loops: ReadonlyMap<string, SteppedLoop>,
  ) {}

  /** On the PostgreSQL server at `url`, or on the embedded database. */
  static async start(url = process.env.DATABASE_URL): Promise<SteppedService> {
    const loops = new Map<string, SteppedLoop>();
    jest.spyOn(Loop.prototype, 'start').mockImplementation(function (this: Loop) {
      const loop = this as unknown as SteppedLoop;
      loops.set(loop.options.name, loop);
      void loop.round().then(() => loop.endFirstRound());
    });
    // Wake-ups may be lost: lanes are acquired by the sweep.
    jest.spyOn(LaneDriver.prototype, 'offer').mockImplementation(() => undefined);
    const platform = await Platform.start({ autoCreateSenders: true });
    const database = url ? await freshDatabase(url) : null;
    const dataDir = database ? join(tmpdir(), 'mta-not-used') : await copyOfMigratedDirectory();
    const settings = readSettings({
      ...platformSettings(platform.url),
      ...{ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: KEY, WEBHOOK_ALLOW_PRIVATE: 'true', UNKNOWN_GRACE_SECONDS: '1' },
      ...(database && { DATABASE_URL: database.url, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }),
    });
    const root = AppModule.register({ ...settings, platform: { ...settings.platform, apiUrl: platform.url } });
    const app = await NestFactory.create(root, { bodyParser: false, abortOnError: false, logger: false });
    await app.init();
    const removed = async () => {
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    };
    const callback = await WebhookAddress.open();
    const wanted = { callbackUrl: callback.url, takeOver: false };
    await Promise.all([app.get(PlatformSubscriptions).start(wanted), app.get(AppSubscriptions).start(wanted)]);
    return new SteppedService(app, platform, new LostAnswers(app.get(DataSource)), callback, removed, loops);
  }

  get database(): Database {
    return this.app.get(Database);
  }

  get<Part>(part: Type<Part> | (abstract new (...args: never[]) => Part)): Part {
    return this.app.get(part);
  }

  /** The started loops, by name. */
  get names(): string[] {
    return [...this.loops.keys()];
  }

  /** Runs a round of a loop, and repeats it until it succeeds; calls `between` after a failure. */
  async round(name: string, between: () => Promise<void>): Promise<void> {
    const loop = this.loops.get(name)!;
    for (let round = 1; ; round++) {
      await loop.round();
      const { failuresInRow, reason } = loop.work;
      if (failuresInRow === 0) return;
      if (round === MOST_ROUNDS) throw new Error(`${name} failed ${round} times: ${reason}`);
      await between();
    }
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.platform.close();
    await this.callback.close();
    await this.removed();
    jest.restoreAllMocks();
  }
}

/** The subscribed webhook address: answers the platform's verification and accepts everything else. */
class WebhookAddress {
  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async open(): Promise<WebhookAddress> {
    const server = createServer(({ url = '' }, response) => {
      response.end(new URL(url, 'http://127.0.0.1').searchParams.get('hub.challenge') ?? '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new WebhookAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
