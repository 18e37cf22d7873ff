import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bucket } from '../../src/modules/media/adapters/s3-media-store';

const SERVER = join(__dirname, 'bucket-server-process.cjs');
const NAME = 'media';

/** s3rver, a server with the protocol of S3, in its own process. */
export class BucketServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly bucket: Bucket,
  ) {}

  /** Starts it with an empty bucket. */
  static async start(): Promise<BucketServer> {
    const folder = await mkdtemp(join(tmpdir(), 'mta-bucket-'));
    const child = spawn(process.execPath, [SERVER, folder, NAME], { stdio: ['ignore', 'pipe', 'inherit'] });
    const port = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`s3rver exited with ${code}`)));
      child.stdout.on('data', (data: Buffer) => {
        const [, found] = /^(\d+)\n/.exec(data.toString()) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    return new BucketServer(child, folder, {
      ...{ name: NAME, prefix: 'received/', region: 'us-east-1', endpoint: `http://127.0.0.1:${port}` },
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    });
  }

  /** The names of the stored files, without the prefix. */
  async files(): Promise<string[]> {
    const names = await readdir(join(this.folder, NAME, this.bucket.prefix)).catch(() => []);
    return [...new Set(names.map((name) => name.split('._')[0]!))];
  }

  /** Stops it and deletes its files. */
  async stop(): Promise<void> {
    this.child.kill();
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    await rm(this.folder, { recursive: true, force: true });
  }
}
