import type { RetryScope } from '../../src/modules/bulk-jobs/domain/retry-selection';
import { callerIn } from './callers';
import { JobCreations, type JobModel } from './job-creations';
import type { JobStep, PlannedPeople } from './plan-people';
import type { ProcessPeople } from './process-people';
import { Requests } from './requests';
import type { SimulatedProcess } from './simulated-process';
import { idOf, type World } from './world';

/** An action of a person on an existing job. */
export type JobAction = 'pause' | 'resume' | 'cancel';

const RETRY_MS = 1000;
const ENDED = ['Completed', 'Failed', 'Cancelled'];
/** Retry jobs are numbered after those of the plan. */
const FIRST_RETRY = 100;
const EXPIRY_EVERY_MS = 2000;

/** People who manage jobs: each request goes to some process, and is repeated until it is answered. */
export class People {
  private readonly requests: Requests;
  private readonly creations: JobCreations;
  /** The index in the plan by job. */
  private readonly indexes = new Map<string, number>();
  private retries = 0;
  private jobs = 0;
  /** Phone numbers by job and position; after an erasure the row no longer has one. */
  private readonly phones = new Map<string, string>();

  constructor(
    private readonly world: World,
    private readonly plan: PlannedPeople,
  ) {
    this.requests = new Requests(world);
    this.creations = new JobCreations(world, this.requests);
  }

  begin(): void {
    this.expirePauses();
  }

  /** Whether the job is created on hold. */
  isHeld(index: number): boolean {
    return this.plan.jobActions[index]!.releasedAt !== null;
  }

  /** Creates such a job by a request and resolves with its id, or with null if the plan has the job from the start. */
  create(index: number, model: JobModel): Promise<string | null> {
    const { creation } = this.plan.jobActions[index]!;
    return creation ? this.creations.create(model, creation) : Promise.resolve(null);
  }

  /** Schedules the planned actions on a new job. */
  manage(index: number, jobId: string): void {
    this.indexes.set(jobId, index);
    const { scheduler } = this.world;
    const { sequences, releasedAt, retries } = this.plan.jobActions[index]!;
    for (const { at, steps } of sequences) scheduler.after(at - scheduler.now, () => void this.follow(jobId, steps));
    for (const scope of retries) void this.retry(jobId, scope);
    if (releasedAt !== null) scheduler.after(releasedAt - scheduler.now, () => void this.act(jobId, 'resume'));
  }

  /** Whether the plan never resumes the job after its pause. */
  neverResumes(jobId: string): boolean {
    return this.plan.jobActions[this.indexes.get(jobId) ?? -1]?.neverResumed === true;
  }

  /** Whether every request is answered, and every erasure has finished its first round. */
  isOver(): boolean {
    return this.requests.pending === 0 && [...this.world.server.erasures.committed()].every(({ round }) => round > 1);
  }

  end(): void {
    this.world.people!.end(this.retries);
  }

  act(jobId: string, action: JobAction): Promise<void> {
    return this.follow(jobId, [{ kind: action }]);
  }

  private async follow(jobId: string, steps: readonly JobStep[]): Promise<void> {
    for (const step of steps)
      await this.requests.perform(`${step.kind} ${jobId}`, ({ people }) => this.take(people!, jobId, step));
  }

  /** Retries a job once it has ended. */
  private async retry(jobId: string, scope: RetryScope): Promise<void> {
    const { dice, server } = this.world;
    const key = `retry ${this.retries++}`;
    this.requests.pending++;
    while (!ENDED.includes(server.jobs.row(jobId).committed!.status))
      await this.requests.pause(dice.between(300, RETRY_MS));
    const create = async ({ people }: SimulatedProcess): Promise<void> => {
      const { claims, retries } = people!;
      // Each request proposes another job id.
      const claim = await claims(key, idOf(3, FIRST_RETRY + this.jobs++));
      if (claim === null) return;
      const { accountId } = server.jobs.row(jobId).committed!;
      const request = { ...callerIn(accountId), claim, signal: new AbortController().signal };
      this.world.trace(() => `person: ${key} as ${claim.resourceId}`);
      const { job, warnings } = await retries.retry({
        ...request,
        retryOf: jobId,
        scope,
        errorCodes: [],
        name: null,
        skipRetried: false,
      });
      this.world.guard(() => this.world.people!.retried(job.id, warnings));
    };
    // Some people repeat the request before it is answered.
    const times = dice.chance(0.3) ? 2 : 1;
    await Promise.all(Array.from({ length: times }, () => this.requests.perform(`${key} of ${jobId}`, create)));
    this.requests.pending--;
  }

  private take({ erasure, jobs }: ProcessPeople, jobId: string, step: JobStep): Promise<unknown> {
    const { accountId } = this.world.server.jobs.row(jobId).committed!;
    if (step.kind === 'erase') {
      const phone = this.phoneOf(jobId, step.position);
      // The person was already erased as a recipient of another job.
      if (phone === '') return Promise.resolve();
      return erasure.eraseContact(callerIn(accountId), phone);
    }
    if (step.kind !== 'pause' && step.kind !== 'cancel') this.world.people!.requested(jobId);
    if (step.kind !== 'change') return jobs[step.kind](callerIn(accountId), jobId);
    this.world.witness.rescheduled(jobId);
    const { scheduledInMs, sendWindow } = step;
    const at = scheduledInMs === undefined || scheduledInMs === null ? scheduledInMs : this.moment(scheduledInMs);
    return jobs.edit(callerIn(accountId), jobId, {
      ...(at !== undefined && { scheduledAt: at }),
      ...(sendWindow !== undefined && { sendWindow }),
    });
  }

  private phoneOf(jobId: string, position: number): string {
    const key = `${jobId} ${position}`;
    const phone = this.phones.get(key) ?? this.world.server.recipientsOf(jobId)[position - 1]!.committed!.phone;
    this.phones.set(key, phone);
    return phone;
  }

  private moment(inMs: number): Date {
    return new Date(this.world.server.now().getTime() + inMs);
  }

  /** Expires pauses in some process, more often than the service: days are shorter here. */
  private expirePauses(): void {
    const { dice, scheduler } = this.world;
    scheduler.after(EXPIRY_EVERY_MS, () => {
      const living = this.world.living();
      if (living.length > 0) {
        const { life, people } = dice.pick(living);
        life.act(() => void people!.pauses.round().catch((error: unknown) => this.world.expected(error)));
      }
      this.expirePauses();
    });
  }
}
