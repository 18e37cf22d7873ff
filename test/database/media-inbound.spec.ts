import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseIdentity } from '../../src/infra/database/database-identity';
import { HealthChecks } from '../../src/infra/health/health-checks';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { SenderDeletedError } from '../../src/modules/accounts/domain/accounts.errors';
import type { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { MediaStoreUpkeep } from '../../src/modules/media/adapters/media-store-upkeep';
import { CloudApiPlatformMedia } from '../../src/modules/media/adapters/cloud-api-platform-media';
import type { ClaimedFile } from '../../src/modules/media/domain/inbound-file';
import type { FetchOutcome, MediaFetches } from '../../src/modules/media/domain/media-fetches';
import type { PlatformFile } from '../../src/modules/media/domain/platform-media.port';
import { describeOnDatabase } from '../support/databases';
import { MediaParts } from '../support/media-parts';

const DAY_MS = 86_400_000;

describeOnDatabase('Inbound media', (open) => {
  let parts: MediaParts;
  const picture = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(300_000)]);

  beforeAll(async () => {
    parts = await new MediaParts(await open()).start();
  });
  beforeEach(() => parts.database.execute('DELETE FROM inbound_media'));
  afterAll(() => parts.close());

  const fileOf = (platformMediaId: string, receivedAt = new Date()) => ({
    messageId: uuidV7(),
    accountId: parts.accountId,
    senderId: null,
    platformMediaId,
    mimeType: 'image/jpeg; charset=binary',
    receivedAt,
  });
  const arrived = async (platformMediaId: string, receivedAt?: Date): Promise<string> => {
    const file = fileOf(platformMediaId, receivedAt);
    await parts.inbound.fetchLater([file]);
    return file.messageId;
  };
  const claimed = async (): Promise<ClaimedFile> => {
    const [file] = await parts.fetches.claim(1);
    if (!file) throw new Error('Nothing is due');
    return file;
  };
  const work = async (fetches: MediaFetches = parts.fetches): Promise<FetchOutcome> =>
    fetches.work(await claimed(), AbortSignal.timeout(20_000));
  const untilWaiting = async (messageId: string) => {
    const [row] = await parts.database.rows<{ seconds: string; attempts: number; problem: string }>(
      `SELECT extract(epoch FROM next_try_at - now()) AS seconds, attempts, problem FROM inbound_media
       WHERE message_id = $1 AND state = 'Waiting' AND claim IS NULL`,
      [messageId],
    );
    return row && { ...row, seconds: Number(row.seconds) };
  };
  const rowsLeft = async () => (await parts.database.rows('SELECT FROM inbound_media')).length;
  const filesLeft = async () => {
    const entries = await readdir(parts.folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };

  it('are fetched byte by byte and stored for their account only', async () => {
    const messageId = await arrived(await parts.sentByPerson(picture));
    await expect(parts.inbound.open(parts.accountId, messageId)).rejects.toMatchObject({
      code: 'media_not_ready',
      kind: 'conflict',
    });

    expect(await work()).toEqual({ result: 'kept', problem: null });
    expect(await parts.holds(messageId, picture)).toBe(true);
    expect(await parts.inbound.open(parts.accountId, messageId)).toMatchObject({
      mimeType: 'image/jpeg',
      size: picture.length,
    });
    await expect(parts.inbound.open(uuidV7(), messageId)).rejects.toMatchObject({ code: 'media_not_found' });
    expect(await parts.fetches.claim(1)).toEqual([]);
  });

  it('are files readable by the service only', async () => {
    const messageId = await arrived(await parts.sentByPerson(picture));
    await work();
    const folder = join(parts.folder, 'media', messageId.slice(-3));

    expect((await stat(join(folder, messageId))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('are recorded once, however often reported', async () => {
    const file = fileOf(await parts.sentByPerson(picture));
    await parts.inbound.fetchLater([file, fileOf('1')]);
    await work();
    await parts.inbound.fetchLater([{ ...file, platformMediaId: 'another' }]);

    expect(await parts.holds(file.messageId, picture)).toBe(true);
    expect(await rowsLeft()).toBe(2);
  });

  it('are recorded in the surrounding transaction, and announced after it', async () => {
    const announced: number[] = [];
    parts.inbound.onWork(() => announced.push(1));
    const failing = parts.unitOfWork.run(async () => {
      await parts.inbound.fetchLater([fileOf('1')]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect([await rowsLeft(), announced.length]).toEqual([0, 0]);

    await parts.unitOfWork.run(async () => {
      await parts.inbound.fetchLater([fileOf('1')]);
      expect(announced).toEqual([]);
    });
    expect([await rowsLeft(), announced.length]).toEqual([1, 1]);
  });

  it('may arrive by the thousand', async () => {
    await parts.inbound.fetchLater(Array.from({ length: 2_500 }, (_, n) => fileOf(String(n))));
    expect(await rowsLeft()).toBe(2_500);
    expect(new Set((await parts.fetches.claim(9)).map(({ messageId }) => messageId)).size).toBe(9);
  });

  it('are processed by one process at a time, until its claim expires', async () => {
    const messageId = await arrived(await parts.sentByPerson(picture));
    const first = await claimed();
    expect(await parts.fetches.claim(1)).toEqual([]);

    await parts.passTime();
    expect(await work()).toMatchObject({ result: 'kept' });
    expect(await parts.fetches.work(first, AbortSignal.timeout(20_000))).toMatchObject({ result: 'lost' });
    expect(await parts.holds(messageId, picture)).toBe(true);
  });

  it.each(['', 'a/../b', 'x'.repeat(256), '1\u0000'])(
    'with the invalid id %j are dropped immediately, without an error',
    async (id) => {
      const messageId = await arrived(id);
      expect(await parts.fetches.claim(1)).toEqual([]);
      await expect(parts.inbound.open(parts.accountId, messageId)).rejects.toMatchObject({
        code: 'media_not_found',
        message: expect.stringContaining('media id from the platform has an invalid form'),
      });
    },
  );

  it('of a deleted sender are given up immediately', async () => {
    await arrived(await parts.sentByPerson(picture));
    const recorded = () => Promise.reject(new SenderDeletedError());
    const senders = { recorded } as unknown as SendersService;
    expect(await work(parts.fetchesFrom(parts.platform, parts.files, senders))).toMatchObject({ result: 'gone' });
    await parts.passTime();
    expect(await parts.fetches.claim(1)).toEqual([]);
  });

  describe('unknown to the platform', () => {
    it('are given up after a day: a webhook may precede its file, a token may lack the permission', async () => {
      await arrived('4710');
      for (let attempt = 1; attempt < 7; attempt++) {
        expect(await work()).toMatchObject({ result: 'failed' });
        await parts.passTime();
      }
      await parts.database.execute(`UPDATE inbound_media SET next_try_at = now() + interval '1 hour'`);

      const messageId = await arrived('4711', new Date(Date.now() - DAY_MS));
      expect(await work()).toMatchObject({ result: 'gone' });

      await expect(parts.inbound.open(parts.accountId, messageId)).rejects.toMatchObject({
        code: 'media_not_found',
        message: expect.stringMatching(/could not be fetched from the platform: .*\(code 100\)/),
      });
      expect(await parts.fetches.claim(1)).toEqual([]);
    });
  });

  describe('of a platform that is unavailable', () => {
    const away = async <T>(then: (fetches: MediaFetches) => Promise<T>): Promise<T> => {
      const gone = await new MediaParts(parts.database).start();
      try {
        await gone.sandbox.close();
        return await then(parts.fetchesFrom(gone.platform));
      } finally {
        await gone.client.close();
        await rm(gone.folder, { recursive: true, force: true });
      }
    };

    it('are retried with growing delays', async () => {
      const messageId = await arrived(await parts.sentByPerson(picture));
      const pauses = await away(async (fetches) => {
        const seconds: number[] = [];
        for (let attempt = 1; attempt <= 4; attempt++) {
          expect(await work(fetches)).toMatchObject({
            result: 'failed',
            problem: expect.stringMatching(/did not answer/),
          });
          seconds.push((await untilWaiting(messageId))!.seconds);
          await parts.passTime();
        }
        return seconds;
      });

      for (const [n, least] of [0.5, 4.5, 29, 119].entries()) {
        expect(pauses[n]).toBeGreaterThan(least);
        expect(pauses[n]).toBeLessThan(least * 3);
      }
      expect(await work()).toMatchObject({ result: 'kept' });
    });

    it('are given up after 7 days, when the platform has deleted them', async () => {
      await arrived('1', new Date(Date.now() - 7 * DAY_MS));
      expect(await away((fetches) => work(fetches))).toMatchObject({ result: 'gone' });
    });
  });

  describe('that differ from the announcement', () => {
    class Announcing extends CloudApiPlatformMedia {
      constructor(private readonly change: Partial<PlatformFile>) {
        super(parts.client);
      }

      override async find(...query: Parameters<CloudApiPlatformMedia['find']>): Promise<PlatformFile> {
        return { ...(await super.find(...query)), ...this.change };
      }
    }

    it.each<[string, Partial<PlatformFile>]>([
      ['other bytes', { sha256: 'f'.repeat(64) }],
      ['another length', { size: 7 }],
      ['an address that nothing serves', { url: 'http://127.0.0.1:1/a' }],
      ['no address', { url: 'file:///etc/passwd' }],
    ])('are fetched again: %s', async (_, change) => {
      const messageId = await arrived(await parts.sentByPerson(picture));
      expect(await work(parts.fetchesFrom(new Announcing(change)))).toMatchObject({ result: 'failed' });
      expect(await filesLeft()).not.toContain(messageId);
      expect(await untilWaiting(messageId)).toMatchObject({ attempts: 1, problem: expect.any(String) });

      await parts.passTime();
      expect(await work()).toMatchObject({ result: 'kept' });
    });

    it('are not fetched if too large', async () => {
      await arrived(await parts.sentByPerson(picture));
      const outcome = await work(parts.fetchesFrom(new Announcing({ size: 100 * 1024 * 1024 + 1 })));
      expect(outcome).toMatchObject({ result: 'gone', problem: expect.stringContaining('104857600') });
    });

    it('are stored if the platform gives neither length nor hash', async () => {
      await arrived(await parts.sentByPerson(picture));
      expect(await work(parts.fetchesFrom(new Announcing({ size: null, sha256: null })))).toMatchObject({
        result: 'kept',
      });
    });
  });

  describe('without room on the disk', () => {
    it('wait until there is space, and are fetched at most a minute later', async () => {
      const mediaId = await parts.sentByPerson(picture);
      const messageId = await arrived(mediaId, new Date(Date.now() - 30 * DAY_MS));
      await parts.database.execute('UPDATE inbound_media SET attempts = 20');
      const folder = join(parts.folder, 'media');
      await rm(folder, { recursive: true, force: true });
      await writeFile(folder, 'no folder');
      expect(await work()).toMatchObject({ result: 'failed' });
      expect((await untilWaiting(messageId))!.seconds).toBeLessThanOrEqual(60);
      expect(await parts.files.problem()).toBe('the media folder cannot be used (EEXIST)');

      await rm(folder);
      expect(await parts.files.problem()).toBeNull();
      await parts.passTime();
      expect(await work()).toMatchObject({ result: 'kept' });
      expect(await parts.holds(messageId, picture)).toBe(true);
    });

    it('are reported as gone if their file was removed', async () => {
      const messageId = await arrived(await parts.sentByPerson(picture));
      await work();
      await rm(join(parts.folder, 'media'), { recursive: true });
      await expect(parts.inbound.open(parts.accountId, messageId)).rejects.toMatchObject({
        code: 'media_not_found',
        message: 'The media of this message is no longer stored.',
      });
    });

    it('leave no unfinished files', async () => {
      const folder = join(parts.folder, 'media', 'unfinished');
      await mkdir(folder, { recursive: true });
      for (const name of ['old', 'new']) await writeFile(join(folder, name), 'x');
      const twoHoursAgo = Date.now() / 1000 - 7_200;
      await utimes(join(folder, 'old'), twoHoursAgo, twoHoursAgo);
      await parts.files.removeUnfinished();
      expect(await readdir(folder)).toEqual(['new']);
      await rm(join(folder, 'new'));
    });
  });

  describe('that are removed', () => {
    it('are not deleted by a restored database until a person confirms it, which the check `media` reports', async () => {
      const messageId = await arrived(await parts.sentByPerson(picture));
      await work();
      const checks = new HealthChecks();
      new MediaStoreUpkeep(checks, parts.files, parts.store, new SystemClock()).onModuleInit();
      const health = async () => (await checks.run()).checks.find(({ name }) => name === 'media')?.health;
      await parts.database.execute('UPDATE database_identity SET restored_at = clock_timestamp()');
      expect(await health()).toEqual({ ok: true });
      await parts.inbound.remove([messageId]);
      await arrived('4711');
      expect(await parts.fetches.claim(2)).toEqual([expect.objectContaining({ task: 'fetch' })]);
      expect(await filesLeft()).toContain(messageId);
      expect(await health()).toEqual({ ok: false, reason: expect.stringContaining('EVENTS_AFTER_RESTORE') as string });

      await new DatabaseIdentity(parts.database).confirmOriginal();
      expect(await health()).toEqual({ ok: true });
      expect(await work()).toMatchObject({ result: 'deleted' });
      expect(await filesLeft()).not.toContain(messageId);
    });

    it('are unknown immediately, and deleted from disk and database soon after', async () => {
      const messageId = await arrived(await parts.sentByPerson(picture));
      await work();
      await parts.inbound.remove([messageId, uuidV7()]);

      await expect(parts.inbound.open(parts.accountId, messageId)).rejects.toMatchObject({ code: 'media_not_found' });
      expect(await work()).toMatchObject({ result: 'deleted' });
      expect([await filesLeft(), await rowsLeft()]).toEqual([expect.not.arrayContaining([messageId]), 0]);
    });

    it('remain if the surrounding transaction is rolled back', async () => {
      const messageId = await arrived(await parts.sentByPerson(picture));
      await work();
      const failing = parts.unitOfWork.run(async () => {
        await parts.inbound.remove([messageId]);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await parts.holds(messageId, picture)).toBe(true);
    });

    it('during their fetch leave no file either', async () => {
      const messageId = await arrived(await parts.sentByPerson(picture));
      const inProgress = await claimed();
      await parts.inbound.remove([messageId]);
      expect(await parts.fetches.claim(1)).toEqual([]);

      expect(await parts.fetches.work(inProgress, AbortSignal.timeout(20_000))).toMatchObject({ result: 'lost' });
      expect(await work()).toMatchObject({ result: 'deleted' });
      expect([await filesLeft(), await rowsLeft()]).toEqual([expect.not.arrayContaining([messageId]), 0]);
    });

    it('during a failing fetch are due for deletion immediately', async () => {
      const messageId = await arrived('4711');
      const inProgress = await claimed();
      await parts.inbound.remove([messageId]);
      await parts.fetches.work(inProgress, AbortSignal.timeout(20_000));
      expect(await work()).toMatchObject({ result: 'deleted' });
      expect(await rowsLeft()).toBe(0);
    });

    it('and deleted before a slow fetch ends leave no file', async () => {
      const messageId = await arrived(await parts.sentByPerson(picture));
      const slow = await claimed();
      await parts.inbound.remove([messageId]);
      await parts.passTime();
      expect(await work()).toMatchObject({ result: 'deleted' });

      expect(await parts.fetches.work(slow, AbortSignal.timeout(20_000))).toMatchObject({ result: 'lost' });
      expect(await filesLeft()).not.toContain(messageId);
    });
  });

  it('are due again after an aborted fetch', async () => {
    const messageId = await arrived(await parts.sentByPerson(picture));
    expect(await parts.fetches.work(await claimed(), AbortSignal.abort())).toMatchObject({ result: 'failed' });
    expect(await filesLeft()).not.toContain(messageId);
    expect(await untilWaiting(messageId)).toMatchObject({ attempts: 1 });
  });
});
