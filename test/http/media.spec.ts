import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { NextFunction, Response } from 'express';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import request from 'supertest';
import type { Database } from '../../src/infra/database/database';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { IdempotencyKeys } from '../../src/infra/http/idempotency/idempotency-keys';
import { configureHttp } from '../../src/infra/http/configure-http';
import { FileUploadInterceptor, UploadLimit } from '../../src/infra/http/uploads/file-upload.decorator';
import { UploadDirectory } from '../../src/infra/http/uploads/upload-directory';
import { SystemClock } from '../../src/infra/system-clock';
import type { Caller } from '../../src/kernel/caller';
import { Clock } from '../../src/kernel/clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { InboundMediaWorker, MediaRole } from '../../src/modules/media/adapters/inbound-media-worker';
import { MediaController } from '../../src/modules/media/adapters/media.controller';
import { InboundMedia } from '../../src/modules/media/domain/inbound-media';
import { MediaFetches } from '../../src/modules/media/domain/media-fetches';
import { MediaStore } from '../../src/modules/media/domain/media-store.port';
import { MediaUploads } from '../../src/modules/media/domain/media-uploads';
import { PlatformMedia } from '../../src/modules/media/domain/platform-media.port';
import { SentMedia } from '../../src/modules/media/domain/sent-media';
import { MessageFilesController } from '../../src/modules/messages/adapters/message-files.controller';
import { PostgresMessageArchive } from '../../src/modules/messages/adapters/postgres-message-archive';
import { MessageArchive } from '../../src/modules/messages/domain/message-archive.port';
import { MessageFiles } from '../../src/modules/messages/domain/message-files';
import { SAMPLE_FILES } from '../../src/modules/media/fixtures/sample-files';
import { describeOnDatabase } from '../support/databases';
import { MediaParts } from '../support/media-parts';

const API = '/api/v1/messaging';
const MAX_FILE_BYTES = 6 * 1024 * 1024;

describeOnDatabase('The media endpoints', (open) => {
  let parts: MediaParts;
  let app: NestExpressApplication;
  let registry: Registry;
  const picture = Buffer.concat([SAMPLE_FILES.jpeg, randomBytes(200_000)]);

  beforeAll(async () => {
    parts = await new MediaParts(await open()).start();
    registry = new Registry();
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      controllers: [MediaController, MessageFilesController],
      providers: [
        MediaUploads,
        SentMedia,
        MessageFiles,
        InboundMediaWorker,
        UploadDirectory,
        // No request has a key here, so nothing is stored.
        { provide: IdempotencyKeys, useValue: new IdempotencyKeys({} as Database, new SystemClock()) },
        FileUploadInterceptor,
        { provide: UploadLimit, useValue: new UploadLimit(MAX_FILE_BYTES) },
        { provide: InboundMedia, useValue: parts.inbound },
        { provide: MediaFetches, useValue: parts.fetches },
        { provide: MediaStore, useValue: parts.files },
        { provide: MessageArchive, useValue: new PostgresMessageArchive(parts.database) },
        { provide: PlatformMedia, useValue: parts.platform },
        { provide: MediaRole, useValue: { processesFiles: true } },
        { provide: SendersService, useValue: parts.senders },
        { provide: Clock, useClass: SystemClock },
        { provide: Registry, useValue: registry },
      ],
    }).compile();
    app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(app, { maxFileBytes: MAX_FILE_BYTES, logger: pino({ level: 'silent' }) });
    app.use((incoming: ApiRequest, _response: Response, next: NextFunction) => {
      incoming.caller = { accountId: parts.accountId } as Caller;
      next();
    });
    await app.listen(0, '127.0.0.1');
  });

  afterAll(async () => {
    await app.close();
    await parts.close();
  });

  const until = async (check: () => Promise<boolean>): Promise<void> => {
    for (let waited = 0; waited < 15_000; waited += 20) {
      if (await check()) return;
      await pause(20);
    }
    throw new Error('It did not come to be');
  };

  describe('for an upload', () => {
    const upload = (content: Buffer | null, fields: Record<string, string> = {}, name = 'a.jpg', type?: string) => {
      let call = request(app.getHttpServer()).post(`${API}/media`);
      for (const [field, value] of Object.entries(fields)) call = call.field(field, value);
      return content === null ? call : call.attach('file', content, { filename: name, contentType: type });
    };
    const uploadsLeft = async () => readdir(dirname(await app.get(UploadDirectory).newFile()));

    it('return the id for messages, and reach the platform byte by byte', async () => {
      const { status, body } = await upload(picture, {}, 'Sommer größer.jpg');
      expect([status, body]).toEqual([
        201,
        {
          mediaId: expect.stringMatching(/^\d+$/),
          handle: null,
          kind: 'image',
          mimeType: 'image/jpeg',
          size: picture.length,
          sha256: createHash('sha256').update(picture).digest('hex'),
          fileName: 'Sommer größer.jpg',
          expiresAt: expect.any(String),
        },
      ]);
      const life = new Date(body.expiresAt as string).getTime() - Date.now();
      expect(Math.round(life / 86_400_000)).toBe(30);

      const onPlatform = await parts.platform.find(parts.sender, body.mediaId as string);
      expect(onPlatform).toMatchObject({ size: picture.length, sha256: body.sha256, mimeType: 'image/jpeg' });
      expect(await uploadsLeft()).toEqual([]);
    });

    it.each(['TemplateExample', 'Message'])('accept the purpose %s', async (purpose) => {
      const { status, body } = await upload(picture, { purpose });
      expect(status).toBe(201);
      const given = [body.mediaId, body.handle, body.expiresAt].map((value) => value !== null);
      expect(given).toEqual(purpose === 'Message' ? [true, false, true] : [false, true, false]);
      if (purpose !== 'Message') expect(body.handle).toMatch(/^4::/);
    });

    it('treat an empty purpose as absent', async () => {
      expect((await upload(picture, { purpose: '' })).body).toMatchObject({ handle: null });
    });

    it.each<[string, number, string, () => request.Test, object?]>([
      ['no file', 400, 'file_required', () => upload(null, { purpose: 'Message' })],
      ['an empty file', 400, 'file_empty', () => upload(Buffer.of())],
      ['another purpose', 400, 'validation_failed', () => upload(picture, { purpose: 'Fun' })],
      ['another field', 400, 'validation_failed', () => upload(picture, { caption: 'x' })],
      ['an unsupported type', 415, 'unsupported_file_type', () => upload(SAMPLE_FILES.gif, {}, 'a.gif')],
      ['a type other than declared', 415, 'unsupported_file_type', () => upload(picture, {}, 'a.png', 'image/png')],
      [
        'more than its kind allows',
        413,
        'file_too_large',
        () => upload(Buffer.concat([picture, Buffer.alloc(5 * 1024 * 1024)])),
        { limit: 5 * 1024 * 1024 },
      ],
      [
        'more than the service accepts',
        413,
        'file_too_large',
        () => upload(Buffer.concat([SAMPLE_FILES.pdf, Buffer.alloc(MAX_FILE_BYTES)]), {}, 'a.pdf'),
        { limit: MAX_FILE_BYTES },
      ],
    ])('refuse %s', async (_, status, code, send, extra = {}) => {
      const answer = await send();
      expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ code, ...extra })]);
      expect(await uploadsLeft()).toEqual([]);
    });

    it('reject a body that is not a form', async () => {
      const answer = await request(app.getHttpServer()).post(`${API}/media`).send({ file: 'x' });
      expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
    });

    it('report why the platform refuses a file', async () => {
      const before = parts.sender;
      parts.sender = { ...before, accessToken: 'expired' };
      for (const purpose of ['Message', 'TemplateExample']) {
        const { status, body } = await upload(picture, { purpose });
        expect([status, body]).toEqual([
          422,
          expect.objectContaining({ code: 'platform_rejected', platformCode: 190 }),
        ]);
        expect(JSON.stringify(body)).not.toContain('expired');
      }
      parts.sender = before;
    });

    it('remove the file of a disconnected client', async () => {
      const { port } = app.getHttpServer().address() as AddressInfo;
      const call = httpRequest({
        port,
        method: 'POST',
        path: `${API}/media`,
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      });
      call.on('error', () => undefined);
      call.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n');
      call.write(picture);
      await until(async () => (await uploadsLeft()).length === 1);
      call.destroy();
      await until(async () => (await uploadsLeft()).length === 0);
    });
  });

  describe('for inbound messages', () => {
    const arrived = async (content: Buffer, mimeType: string): Promise<string> => {
      const platformMediaId = await parts.sentByPerson(content, mimeType);
      const file = {
        messageId: uuidV7(),
        accountId: parts.accountId,
        senderId: null,
        platformMediaId,
        mimeType,
        receivedAt: new Date(),
      };
      await parts.unitOfWork.run(() => parts.inbound.fetchLater([file]));
      return file.messageId;
    };
    const download = (messageId: string) =>
      request(app.getHttpServer())
        .get(`${API}/messages/${messageId}/media`)
        .buffer(true)
        .parse((response, done) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => done(null, Buffer.concat(chunks)));
        });
    const kept = (messageId: string) => until(async () => (await download(messageId)).status === 200);

    it('serve the file soon after its arrival, as an attachment that no browser opens', async () => {
      const messageId = await arrived(picture, 'image/jpeg');
      await kept(messageId);

      const { body, headers } = await download(messageId);
      expect((body as Buffer).equals(picture)).toBe(true);
      expect(headers).toMatchObject({
        'content-type': 'image/jpeg',
        'content-length': String(picture.length),
        'content-disposition': `attachment; filename="${messageId}.jpg"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
      });
      const metrics = await registry.getSingleMetricAsString('messaging_inbound_media_total');
      expect(metrics).toMatch(/messaging_inbound_media_total\{result="kept"\} [1-9]/);
    });

    it('serve bytes that are no picture of the declared type without a type', async () => {
      const drawing = '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>';
      const messageId = await arrived(Buffer.from(drawing), 'image/png');
      await kept(messageId);

      const { body, headers } = await download(messageId);
      expect(String(body)).toBe(drawing);
      expect(headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${messageId}"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
      });
    });

    it('report that it is not available yet, and when to retry', async () => {
      const messageId = uuidV7();
      const receivedAt = new Date();
      const [accountId, senderId] = [parts.accountId, null];
      const file = { messageId, accountId, senderId, platformMediaId: '4711', mimeType: null, receivedAt };
      await parts.inbound.fetchLater([file]);
      const { status, headers, body } = await download(messageId);
      expect([status, headers['retry-after'], JSON.parse(String(body))]).toEqual([
        409,
        '5',
        expect.objectContaining({ code: 'media_not_ready' }),
      ]);
    });

    it.each([uuidV7(), 'nonsense', '..%2F..%2Fetc'])('are 404 for the message %s', async (messageId) => {
      const { status, body } = await download(messageId);
      expect([status, JSON.parse(String(body))]).toEqual([404, expect.objectContaining({ code: 'media_not_found' })]);
    });

    it('delete it from disk on removal', async () => {
      const messageId = await arrived(picture, 'image/jpeg');
      await kept(messageId);
      const path = join(parts.folder, 'media', messageId.slice(-3), messageId);
      await stat(path);
      await parts.inbound.remove([messageId]);

      expect((await download(messageId)).status).toBe(404);
      await until(async () =>
        stat(path).then(
          () => false,
          () => true,
        ),
      );
    });

    it('close the connection of an incompletely readable file, and answer the next request', async () => {
      const messageId = await arrived(picture, 'image/jpeg');
      await kept(messageId);
      const path = join(parts.folder, 'media', messageId.slice(-3), messageId);
      await rm(path);
      await writeFile(path, 'cut');

      await expect(download(messageId)).rejects.toThrow(/aborted|hang up|Parse Error/i);
      expect((await download(uuidV7())).status).toBe(404);
    });
  });
});
