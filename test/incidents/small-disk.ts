import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system in memory, which an incident fills. Only root may mount it, on Linux. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  static async mount(megabytes: number): Promise<SmallDisk> {
    const folder = await mkdtemp(join(tmpdir(), 'mta-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
    } catch (cause) {
      await rmdir(folder);
      throw new Error('The incidents of a full disk mount a small one: run them as root on Linux', { cause });
    }
    return new SmallDisk(folder);
  }

  /** Takes all space that is left. */
  fill(): void {
    const { stderr } = spawnSync('dd', ['if=/dev/zero', `of=${this.filler}`, 'bs=64k'], { encoding: 'utf8' });
    if (!stderr.includes('No space left')) throw new Error(`The disk was not filled: ${stderr}`);
  }

  /** Frees the space again. */
  free(): Promise<void> {
    return rm(this.filler);
  }

  async close(): Promise<void> {
    execFileSync('umount', [this.folder], { stdio: 'pipe' });
    await rmdir(this.folder);
  }

  private get filler(): string {
    return join(this.folder, 'forgotten.dump');
  }
}
