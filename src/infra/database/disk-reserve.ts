import { statfsSync } from 'node:fs';

/** Two of the files of 16 MB that its log grows by, and what work in progress may still write. */
const RESERVE_BYTES = 48_000_000;
const CHECK_EVERY_MS = 250;

/** The disk is almost full; a system error, so that requests get 503 and background work is retried. */
export class NoSpaceError extends Error {
  readonly code = 'ENOSPC';

  constructor(freeBytes: number) {
    const megabytes = (bytes: number) => Math.floor(bytes / 1_000_000);
    super(
      `No space left on device: the disk of DATA_DIR has ${megabytes(freeBytes)} MB, of which the embedded database keeps ` +
        `${megabytes(RESERVE_BYTES)} MB free`,
    );
    this.name = new.target.name;
  }
}

/**
 * Keeps space free for the log of the embedded database, which never responds again once its log cannot grow: no new work begins with
 * less.
 */
export class DiskReserve {
  private freeBytes = Infinity;
  private checkedAt = -Infinity;

  constructor(private readonly folder: string) {}

  /** Throws NoSpaceError while the disk is almost full. */
  check(): void {
    const now = performance.now();
    if (now - this.checkedAt >= CHECK_EVERY_MS) {
      this.checkedAt = now;
      const { bavail, bsize, blocks } = statfsSync(this.folder);
      // Some network file systems do not say.
      this.freeBytes = blocks === 0 ? Infinity : bavail * bsize;
    }
    if (this.freeBytes < RESERVE_BYTES) throw new NoSpaceError(this.freeBytes);
  }
}
