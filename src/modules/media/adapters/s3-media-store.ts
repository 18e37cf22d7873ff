import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import type { S3, S3ServiceException } from '@aws-sdk/client-s3';
import { isUuid } from '../../../kernel/uuid';
import { removeOlderThan } from './file-on-disk';
import { MediaStore } from '../domain/media-store.port';

/** A bucket, as in MEDIA_STORE_URL. */
export interface Bucket {
  name: string;
  /** Before the names of the files; empty, or ends with a slash. */
  prefix: string;
  /** Absent: that of AWS. */
  endpoint?: string;
  region: string;
  /** Absent: those that the SDK finds, in the environment or from the machine's role. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

/** Milliseconds to connect, and without data, after which a request fails. */
const TIMEOUTS = { connectionTimeout: 5000, socketTimeout: 60_000 };
/** Files that are being uploaded, in the folder for temporary files. */
const UNFINISHED = 'messaging-media-';
/** Longer than any upload takes: older files belong to a process that died. */
const UNFINISHED_MAX_AGE_MS = 60 * 60_000;

/** The SDK writes to the console without a logger of one's own; callers report its errors. */
const ignored = (): void => undefined;
const SILENT = { trace: ignored, debug: ignored, info: ignored, warn: ignored, error: ignored };

/** Files in a bucket of S3 or of a server with its protocol, named after their messages. */
export class S3MediaStore extends MediaStore {
  private connected: Promise<S3> | undefined;

  /** `timeouts`: see TIMEOUTS. */
  constructor(
    private readonly bucket: Bucket,
    private readonly timeouts = TIMEOUTS,
  ) {
    super();
  }

  /** The content is stored on disk first: S3 must know its length before it arrives. */
  async put(messageId: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const object = this.objectOf(messageId);
    const unfinished = join(tmpdir(), UNFINISHED + randomUUID());
    try {
      await pipeline(content, createWriteStream(unfinished, { flags: 'wx', mode: 0o600 }));
      const { size } = await stat(unfinished);
      const s3 = await this.s3();
      await s3.putObject({ ...object, Body: createReadStream(unfinished), ContentLength: size });
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  async open(messageId: string): Promise<AsyncIterable<Uint8Array> | null> {
    try {
      const { Body: body } = await (await this.s3()).getObject(this.objectOf(messageId));
      return body as Readable;
    } catch (error) {
      if ((error as S3ServiceException).name === 'NoSuchKey') return null;
      throw error;
    }
  }

  async remove(messageId: string): Promise<void> {
    await (await this.s3()).deleteObject(this.objectOf(messageId));
  }

  async problem(): Promise<string | null> {
    try {
      await (await this.s3()).headBucket({ Bucket: this.bucket.name });
      return null;
    } catch (error) {
      const { name, $metadata } = error as Partial<S3ServiceException>;
      return `the media bucket cannot be used (${$metadata?.httpStatusCode ?? name})`;
    }
  }

  async removeUnfinished(): Promise<void> {
    for (const name of await readdir(tmpdir())) {
      if (name.startsWith(UNFINISHED)) await removeOlderThan(join(tmpdir(), name), UNFINISHED_MAX_AGE_MS);
    }
  }

  /** The SDK is loaded only where it is used: it takes 20 MB. */
  private s3(): Promise<S3> {
    const { endpoint, region, credentials } = this.bucket;
    this.connected ??= import('@aws-sdk/client-s3').then(
      ({ S3 }) =>
        new S3({
          region,
          ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
          ...(credentials && { credentials }),
          requestHandler: this.timeouts,
          logger: SILENT,
          // Servers other than AWS do not all know the checksums that are on by default.
          requestChecksumCalculation: 'WHEN_REQUIRED',
          responseChecksumValidation: 'WHEN_REQUIRED',
        }),
    );
    return this.connected;
  }

  private objectOf(messageId: string): { Bucket: string; Key: string } {
    if (!isUuid(messageId)) throw new Error('A media file is stored under the id of its message, which is a UUID');
    return { Bucket: this.bucket.name, Key: this.bucket.prefix + messageId.toLowerCase() };
  }
}
