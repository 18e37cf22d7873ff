import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UploadDirectory } from './upload-directory';

describe('UploadDirectory', () => {
  const made: string[] = [];
  function leftOver(host: string, pid: number, startedAt: number): string {
    const path = join(tmpdir(), `recipient-uploads-${host}-${pid}-${startedAt}-abcdef`);
    mkdirSync(path);
    writeFileSync(join(path, 'numbers.csv'), '4915123456789');
    made.push(path);
    return path;
  }

  afterEach(() => made.splice(0).forEach((path) => rmSync(path, { recursive: true, force: true })));

  it('is for this user alone and gone after a clean end, files included', async () => {
    const directory = new UploadDirectory();
    await directory.onModuleInit();
    const file = await directory.newFile();
    expect(file).not.toBe(await directory.newFile());
    writeFileSync(file, 'x');
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    await directory.onApplicationShutdown();
    expect(existsSync(dirname(file))).toBe(false);
  });

  it('is made again when somebody has cleaned it away', async () => {
    const directory = new UploadDirectory();
    await directory.onModuleInit();
    rmSync(dirname(await directory.newFile()), { recursive: true });
    writeFileSync(await directory.newFile(), 'x');
    await directory.onApplicationShutdown();
  });

  it('removes what dead processes left, and nothing of those that may live', async () => {
    const neverAPid = 4_194_305;
    const startOfThisProcess = Math.round(performance.timeOrigin);
    const dead = leftOver(hostname(), neverAPid, 1);
    const sameNumberBefore = leftOver(hostname(), process.pid, startOfThisProcess - 60_000);
    const own = leftOver(hostname(), process.pid, startOfThisProcess);
    const alive = leftOver(hostname(), process.ppid, 1);
    const elsewhere = leftOver('another-host', neverAPid, 1);
    const directory = new UploadDirectory();
    await directory.onModuleInit();
    await directory.onApplicationShutdown();
    expect([dead, sameNumberBefore, own, alive, elsewhere].map((path) => existsSync(path))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});
