import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { thisProcess } from '../../database/lock-holder';
import { UploadDirectory } from './upload-directory';

describe('UploadDirectory', () => {
  const created: string[] = [];
  function abandoned(host: string, pid: number, processStart = '1', bootId = thisProcess().bootId ?? ''): string {
    const path = join(tmpdir(), `recipient-uploads-${host}-${pid}-${processStart}-${bootId}-abcdef`);
    mkdirSync(path);
    writeFileSync(join(path, 'numbers.csv'), '4915123456789');
    created.push(path);
    return path;
  }

  afterEach(() => created.splice(0).forEach((path) => rmSync(path, { recursive: true, force: true })));

  it('is accessible only to this user, and removed with its files on a clean exit', async () => {
    const directory = new UploadDirectory();
    await directory.onModuleInit();
    const file = await directory.newFile();
    expect(file).not.toBe(await directory.newFile());
    writeFileSync(file, 'x');
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    await directory.onApplicationShutdown();
    expect(existsSync(dirname(file))).toBe(false);
  });

  it('is recreated if it was deleted', async () => {
    const directory = new UploadDirectory();
    await directory.onModuleInit();
    rmSync(dirname(await directory.newFile()), { recursive: true });
    writeFileSync(await directory.newFile(), 'x');
    await directory.onApplicationShutdown();
  });

  it('removes directories of dead processes, but not of those that may be alive', async () => {
    const neverAPid = 4_194_305;
    const { pid, processStart } = thisProcess();
    const left = [
      abandoned(hostname(), neverAPid),
      abandoned(hostname(), process.ppid),
      abandoned(hostname(), pid),
      abandoned(hostname(), pid, processStart ?? '', 'b0-0b'),
    ];
    const kept = [abandoned(hostname(), pid, processStart ?? ''), abandoned('another-host', neverAPid)];
    const directory = new UploadDirectory();
    await directory.onModuleInit();
    await directory.onApplicationShutdown();
    expect(left.filter((path) => existsSync(path))).toEqual([]);
    expect(kept.filter((path) => !existsSync(path))).toEqual([]);
  });
});
