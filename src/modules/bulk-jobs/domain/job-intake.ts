import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { Loop } from '../../../kernel/loop';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import type { RecipientTotals } from '../../recipient-files/domain/recipient-files.errors';
import { SenderSignal } from '../../sending/domain/sender-signal';
import type { BulkJob } from './bulk-job';
import { IntakeLostError } from './bulk-jobs.errors';
import { INTAKE_LEASE_SECONDS, type JobDraft, JobIntakeStore } from './job-intake-store.port';
import { CHUNK_SIZE, RecipientChunk, type RecipientProblem } from './recipient-chunk';

const RENEW_EVERY_MS = (INTAKE_LEASE_SECONDS * 1000) / 4;

/** Stores one job in chunks: it becomes visible completely or not at all. */
export class JobIntake {
  private readonly owner = uuidV7();
  /** Keeps the lease while the file yields no chunk for long, as with blank or duplicate rows. */
  private readonly renewal: Loop;
  private chunk = new RecipientChunk(1);
  private writing: Promise<void> = Promise.resolve();
  private begun = false;
  private stored = 0;
  private invalid = 0;

  constructor(
    private readonly draft: JobDraft,
    private readonly claim: CreationClaim,
    private readonly store: JobIntakeStore,
    private readonly unitOfWork: UnitOfWork,
    clock: Clock,
    private readonly signal: SenderSignal,
  ) {
    this.renewal = new Loop({
      clock,
      everyMs: RENEW_EVERY_MS,
      firstAfterMs: RENEW_EVERY_MS,
      round: () => store.renew(draft.id, this.owner),
      // A failed renewal needs no report: the next chunk is written only with a valid lease.
      failed: () => undefined,
    });
  }

  /** Adds a recipient. Call `settle` after at most CHUNK_SIZE of them: only there the database is awaited. */
  add(rowNumber: number, phone: string, values: readonly string[], problem: RecipientProblem | null = null): void {
    this.chunk.add(rowNumber, phone, values, problem);
    if (problem) this.invalid++;
  }

  /** Starts to write a full chunk; waits only for the previous chunk. */
  async settle(): Promise<void> {
    if (this.chunk.size >= CHUNK_SIZE) await this.flush();
  }

  /**
   * Stores what is left and makes the job visible, in one transaction with the seal of its claim. When it rejects, nothing
   * was created, unless the connection broke in the commit.
   */
  async publish(duplicateRows: number): Promise<BulkJob> {
    if (this.chunk.size > 0) await this.flush();
    await this.writing;
    if ((await this.store.count(this.draft.id)) !== this.stored) throw new IntakeLostError();
    const totals: RecipientTotals = { totalRecipients: this.stored, invalidRows: this.invalid, duplicateRows };
    const job = await this.unitOfWork.run(async () => {
      const published = await this.store.publish(this.draft, this.owner, totals);
      await this.claim.seal();
      this.unitOfWork.afterCommit(() => this.signal.runnable(published.senderId));
      return published;
    });
    void this.renewal.stop();
    return job;
  }

  /** Removes what was stored of an unpublished job; if that fails now, the sweep removes it later. */
  async abandon(): Promise<void> {
    void this.renewal.stop();
    await this.writing.catch(() => undefined);
    if (!this.begun) return;
    try {
      if (await this.store.abandon(this.draft.id, this.owner)) await this.store.remove(this.draft.id);
    } catch {
      // The client must get the error for which the job was abandoned; the sweep removes the rest.
    }
  }

  private async flush(): Promise<void> {
    await this.writing;
    const full = this.chunk;
    this.chunk = new RecipientChunk(full.firstPosition + full.size);
    this.stored += full.size;
    this.writing = this.write(full);
    // It is awaited by the next call; until then its failure must not count as unhandled.
    this.writing.catch(() => undefined);
  }

  private async write(chunk: RecipientChunk): Promise<void> {
    if (!this.begun) {
      this.begun = true;
      await this.store.begin(this.draft, this.owner);
      this.renewal.start();
    }
    await this.store.append(this.draft.id, this.owner, chunk);
  }
}

/** Opens intakes, and removes those that were abandoned because their process died. */
@Injectable()
export class JobIntakes {
  constructor(
    private readonly store: JobIntakeStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly signal: SenderSignal,
  ) {}

  /** Opens the intake of a job; nothing is written before the first full chunk or `publish`. */
  open(draft: JobDraft, claim: CreationClaim): JobIntake {
    return new JobIntake(draft, claim, this.store, this.unitOfWork, this.clock, this.signal);
  }

  /** Removes every job whose storing was interrupted; returns their number. */
  async sweep(): Promise<number> {
    const orphans = await this.store.takeOrphans();
    for (const jobId of orphans) await this.store.remove(jobId);
    return orphans.length;
  }
}
