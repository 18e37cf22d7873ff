import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import type { RecipientTotals } from '../../recipient-files/domain/recipient-files.errors';
import { SenderSignal } from '../../sending/domain/sender-signal';
import type { BulkJob } from './bulk-job';
import { IntakeLostError } from './bulk-jobs.errors';
import { INTAKE_LEASE_SECONDS, type JobDraft, JobIntakeStore } from './job-intake-store.port';
import { CHUNK_SIZE, RecipientChunk, type RecipientProblem } from './recipient-chunk';

const RENEW_EVERY_MS = (INTAKE_LEASE_SECONDS * 1000) / 4;

/** One job on its way into the database: in the end it is there whole, or nothing of it. */
export class JobIntake {
  private readonly owner = uuidV7();
  private readonly ended = new AbortController();
  private chunk = new RecipientChunk(1);
  private writing: Promise<void> = Promise.resolve();
  private begun = false;
  private stored = 0;
  private invalid = 0;

  constructor(
    private readonly draft: JobDraft,
    private readonly store: JobIntakeStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly signal: SenderSignal,
  ) {}

  /** Takes a recipient. Call `settle` after at most CHUNK_SIZE of them: only there the database is waited for. */
  add(rowNumber: number, phone: string, values: readonly string[], problem: RecipientProblem | null = null): void {
    this.chunk.add(rowNumber, phone, values, problem);
    if (problem) this.invalid++;
  }

  /** Sends a full chunk on its way; waits only while the chunk before is still being written. */
  async settle(): Promise<void> {
    if (this.chunk.size >= CHUNK_SIZE) await this.flush();
  }

  /**
   * Stores what is left and makes the job visible in one transaction with `created`, which gets the job as it will be
   * seen. When it rejects, nothing was created.
   */
  async publish(duplicateRows: number, created: (job: BulkJob) => Promise<void>): Promise<BulkJob> {
    if (this.chunk.size > 0) await this.flush();
    await this.writing;
    if ((await this.store.count(this.draft.id)) !== this.stored) throw new IntakeLostError();
    const totals: RecipientTotals = { totalRecipients: this.stored, invalidRows: this.invalid, duplicateRows };
    const job = await this.unitOfWork.run(async () => {
      const published = await this.store.publish(this.draft, this.owner, totals);
      await created(published);
      this.unitOfWork.afterCommit(() => this.signal.runnable(published.senderId));
      return published;
    });
    this.ended.abort();
    return job;
  }

  /** Leaves nothing behind of a job that was not published; what cannot be removed now is found by the sweep. */
  async abandon(): Promise<void> {
    this.ended.abort();
    await this.writing.catch(() => undefined);
    if (!this.begun) return;
    try {
      if (await this.store.abandon(this.draft.id, this.owner)) await this.store.remove(this.draft.id);
    } catch {
      // Why the job was given up is what the client has to hear; the sweep removes the rest.
    }
  }

  private async flush(): Promise<void> {
    await this.writing;
    const full = this.chunk;
    this.chunk = new RecipientChunk(full.firstPosition + full.size);
    this.stored += full.size;
    this.writing = this.write(full);
    // It is awaited by whoever comes next; until then its failure must not count as unhandled.
    this.writing.catch(() => undefined);
  }

  private async write(chunk: RecipientChunk): Promise<void> {
    if (!this.begun) {
      this.begun = true;
      await this.store.begin(this.draft, this.owner);
      void this.keepLease();
    }
    await this.store.append(this.draft.id, this.owner, chunk);
  }

  /** A file can take long to yield its next chunk: blank lines, dropped duplicates. */
  private async keepLease(): Promise<void> {
    for (;;) {
      await this.clock.sleep(RENEW_EVERY_MS, this.ended.signal);
      if (this.ended.signal.aborted) return;
      // A failure shows itself in the next chunk, which proves the lease again.
      await this.store.renew(this.draft.id, this.owner).catch(() => undefined);
    }
  }
}

/** Opens intakes, and clears away those that their process did not live to end. */
@Injectable()
export class JobIntakes {
  constructor(
    private readonly store: JobIntakeStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly signal: SenderSignal,
  ) {}

  /** Starts to take in a job; nothing is written before the first full chunk or `publish`. */
  open(draft: JobDraft): JobIntake {
    return new JobIntake(draft, this.store, this.unitOfWork, this.clock, this.signal);
  }

  /** Removes every job whose storing stopped half-way; returns how many there were. */
  async sweep(): Promise<number> {
    const orphans = await this.store.takeOrphans();
    for (const jobId of orphans) await this.store.remove(jobId);
    return orphans.length;
  }
}
