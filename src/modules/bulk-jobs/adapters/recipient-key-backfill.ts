import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { Clock } from '../../../kernel/clock';
import type { RetentionStep, UpkeepPart } from '../../messages/domain/retention';
import { Retention } from '../../messages/domain/retention-rounds';
import { type Identified, keysOf } from '../domain/person-keys';
import { IDENTITIES } from './job-erasure.sql';
import * as sql from './recipient-keys.sql';

/** Some milliseconds. */
const JOBS_AT_ONCE = 2000;
/** How long a round stores keys, so that it does not delay the deletion of expired data for long; the next one continues. */
const ROUND_MS = 600_000;
/** Jobs without keys are created only by processes of an early version, during an upgrade. */
const LOOK_EVERY_MS = 86_400_000;
const AFTER_ALL_JOBS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The progress of a round. */
interface Progress {
  /** The id of the last examined job. */
  before: string;
  /** Whether its recipients are the next ones. */
  isOpen: boolean;
  /** Whether a locked job was left for the next round. */
  left: boolean;
  /** Recipients that got keys. */
  keyed: number;
  /** When the round ends, by the monotonic clock. */
  until: number;
}

/**
 * Stores the keys of recipients for jobs of early versions, which have none, so that an erasure reads few of their recipients: the newest job
 * first, each from its end. The stored keys are the progress, which any process continues.
 */
@Injectable()
export class RecipientKeyBackfill implements UpkeepPart, OnApplicationBootstrap {
  readonly kind = 'recipient_keys';
  private readonly logger = new Logger(RecipientKeyBackfill.name);
  private nextLookAt = -Infinity;

  constructor(
    private readonly retention: Retention,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.retention.addUpkeep(this);
  }

  async step(cursor: string | null, limit: number): Promise<RetentionStep> {
    const now = this.clock.monotonic();
    if (cursor === null && now < this.nextLookAt) return { deleted: 0, next: null };
    const progress: Progress =
      cursor === null
        ? { before: AFTER_ALL_JOBS, isOpen: false, left: false, keyed: 0, until: now + ROUND_MS }
        : (JSON.parse(cursor) as Progress);
    const found = progress.isOpen ? progress : await this.nextJob(progress);
    const next = found?.isOpen ? await this.keyChunk(found, limit) : found;
    const isOver = next === null || this.clock.monotonic() >= next.until;
    if (isOver) this.report((next ?? progress).keyed);
    if (next === null && !progress.left) this.nextLookAt = now + LOOK_EVERY_MS;
    return { deleted: 0, next: isOver ? null : JSON.stringify(next) };
  }

  /** Null: every job was examined. */
  private async nextJob(progress: Progress): Promise<Progress | null> {
    const [row] = await this.database.rows<{ jobId: string | null; last: string | null }>(sql.NEXT_UNKEYED_JOB, [
      progress.before,
      JOBS_AT_ONCE,
    ]);
    const { jobId = null, last = null } = row ?? {};
    const before = jobId ?? last;
    return before === null ? null : { ...progress, before, isOpen: jobId !== null };
  }

  private keyChunk(progress: Progress, limit: number): Promise<Progress> {
    const jobId = progress.before;
    return this.database.transaction(async () => {
      const [job] = await this.database.rows<{ total: number }>(sql.LOCK_TO_KEY, [jobId]);
      if (!job) return { ...progress, isOpen: false, left: true };
      const [keyed] = await this.database.rows<{ first: number | null }>(sql.FIRST_KEYED, [jobId]);
      const last = (keyed?.first ?? job.total + 1) - 1;
      const first = Math.max(1, last - limit + 1);
      if (last >= 1) {
        const recipients = await this.database.rows<Identified>(IDENTITIES, [jobId, first, last]);
        await this.database.execute(sql.STORE_KEYS, [jobId, first, last, recipients.flatMap(keysOf)]);
      }
      return { ...progress, keyed: progress.keyed + Math.max(0, last - first + 1), isOpen: first > 1 };
    });
  }

  private report(keyed: number): void {
    if (keyed > 0) this.logger.log(`Stored the keys of ${keyed} recipients of earlier jobs, for erasures`);
  }
}
