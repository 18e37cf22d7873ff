import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3 } from '@aws-sdk/client-s3';
import { mediaBucket } from '../../config/media-bucket';
import { uuidV7 } from '../../src/kernel/uuid';
import type { Bucket } from '../../src/modules/media/adapters/s3-media-store';

const SERVER = join(__dirname, 'bucket-server-process.cjs');
const NAME = 'media';

/** A bucket of s3rver in a process of its own, or an existing one of another server, as BUCKET_URL names it (s3://…). */
export class BucketServer {
  private constructor(
    readonly bucket: Bucket,
    private readonly end: () => Promise<void>,
  ) {}

  /** Starts s3rver with an empty bucket; a bucket of another server gets a prefix of its own. */
  static async start(): Promise<BucketServer> {
    const { BUCKET_URL: url } = process.env;
    if (url !== undefined) {
      return new BucketServer({ ...mediaBucket.parse(url), prefix: `${uuidV7()}/` }, () => Promise.resolve());
    }
    const folder = await mkdtemp(join(tmpdir(), 'mta-bucket-'));
    const child = spawn(process.execPath, [SERVER, folder, NAME], { stdio: ['ignore', 'pipe', 'inherit'] });
    return new BucketServer(
      {
        ...{
          name: NAME,
          prefix: 'received/',
          region: 'us-east-1',
          endpoint: `http://127.0.0.1:${await portOf(child)}`,
        },
        credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      },
      async () => {
        child.kill();
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        await rm(folder, { recursive: true, force: true });
      },
    );
  }

  /** The names of the stored files, without the prefix. */
  async files(): Promise<string[]> {
    const { name, prefix, ...access } = this.bucket;
    const s3 = new S3({ ...access, forcePathStyle: true });
    const { Contents: objects = [] } = await s3.listObjectsV2({ Bucket: name, Prefix: prefix });
    s3.destroy();
    return objects.map(({ Key: key }) => key!.slice(prefix.length));
  }

  /** Stops s3rver and deletes its files. */
  stop(): Promise<void> {
    return this.end();
  }
}

function portOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`s3rver exited with ${code}`)));
    child.stdout!.on('data', (data: Buffer) => {
      const [, found] = /^(\d+)\n/.exec(data.toString()) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
}
