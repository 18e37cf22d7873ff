import type { JobOrigin, JobRequest } from '../../src/modules/bulk-jobs/domain/job-intakes';
import type { InvalidRow, ReadBatch, ReadRow } from '../../src/modules/recipient-files/domain/file-rows';
import { windowOf } from '../fakes/lane-rows';
import type { JobRow, RecipientRow } from '../fakes/engine-rows';
import { callerIn } from './callers';
import type { PlannedCreation } from './plan-people';
import { PromiseBroken } from './promise-broken';
import type { Requests } from './requests';
import type { SimulatedProcess } from './simulated-process';
import { idOf, type World } from './world';

/** The job that a request creates, and who has opted out before it. */
export interface JobModel {
  job: JobRow;
  /** By position. */
  recipients: readonly RecipientRow[];
  optedOut: readonly string[];
}

/** Jobs created by requests are numbered after those of the plan, and before retries. */
const FIRST_CREATED = 10_000;
const INVISIBLE = ['Importing', 'Abandoned'];
const PARTS = 3;
const LOOKS_EVERY_MS = 20;
const INVALID = { field: 'phone', code: 'phone_invalid' as const, message: 'Not a number.' };
const ORIGIN: JobOrigin = {
  ...{ kind: 'Import', fileName: null, groupId: null, audience: null, retryOf: null, retry: null, uploadHash: null },
};

/** People who create jobs by requests to some process, as slow uploads of their lists. */
export class JobCreations {
  private tries = 0;
  /** Numbers whose erasure was requested: a list that is uploaded again no longer has them. */
  private readonly erased = new Set<string>();

  constructor(
    private readonly world: World,
    private readonly requests: Requests,
  ) {}

  /** Creates such a job; resolves with its id once the request is answered. */
  async create({ job, optedOut, recipients }: JobModel, { erasure, pauseMs }: PlannedCreation): Promise<string> {
    const { server } = this.world;
    for (const phone of optedOut) await server.optOut(job.accountId, phone);
    const ids: string[] = [];
    const statusOf = (id = ''): string | undefined => server.jobs.rows.get(id)?.committed?.status;
    const create = async ({ parts, people }: SimulatedProcess): Promise<void> => {
      // Each request proposes another job id.
      const claim = await people!.claims(`create ${job.id}`, idOf(3, FIRST_CREATED + this.tries++));
      if (claim === null) return;
      ids.push(claim.resourceId);
      await using intake = await people!.intakes.open({ ...requestOf(job), claim }, ORIGIN);
      for (const part of this.partsOf(recipients)) {
        await intake.add(part);
        await parts.clock.sleep(pauseMs);
      }
      await intake.publish(0, []);
    };
    if (erasure) {
      const phone = recipients[erasure.position - 1]!.phone;
      void this.erase(job.accountId, phone, erasure.afterMs, () => statusOf(ids.at(-1)));
    }
    await this.requests.perform(`create ${job.id}`, create);
    const created = ids.filter((id) => ![undefined, ...INVISIBLE].includes(statusOf(id)));
    if (created.length !== 1)
      this.world.break(new PromiseBroken('a repeated request creates one job', `${job.id}: ${created.join()}`));
    return created[0]!;
  }

  /** Erases a person of the list once the job has begun: an erasure does not cover data that is sent after its request. */
  private async erase(
    accountId: string,
    phone: string,
    afterMs: number,
    status: () => string | undefined,
  ): Promise<void> {
    this.requests.pending++;
    await this.requests.pause(afterMs);
    while ([undefined, 'Abandoned'].includes(status())) await this.requests.pause(LOOKS_EVERY_MS);
    this.erased.add(phone);
    await this.requests.perform(`erase ${phone}`, ({ people }) =>
      people!.erasure.eraseContact(callerIn(accountId), phone),
    );
    this.requests.pending--;
  }

  private partsOf(recipients: readonly RecipientRow[]): ReadBatch[] {
    const size = Math.ceil(recipients.length / PARTS);
    const rowOf = ({ parameters: values, phone, rowNumber }: RecipientRow): ReadRow => {
      return { rowNumber, phone: this.erased.has(phone) ? `1${phone}` : phone, values };
    };
    return Array.from({ length: PARTS }, (_, part) => {
      const own = recipients.slice(part * size, (part + 1) * size);
      const [valid, invalid] = [true, false].map((isValid) =>
        own.filter(({ outcome }) => (outcome === null) === isValid),
      );
      const invalidRows = invalid!.map((row): InvalidRow => ({ ...rowOf(row), ...INVALID }));
      return { rows: valid!.map(rowOf), invalidRows };
    });
  }
}

function requestOf(job: JobRow): Omit<JobRequest, 'claim'> {
  const { accountId, headerMedia: extras, languageCode, reference, scheduledAt, senderId, validForSeconds } = job;
  return {
    ...callerIn(accountId),
    ...{ senderId, templateName: job.templateName, languageCode, extras, name: null, reference },
    ...{ scheduledAt, sendWindow: windowOf(job), validForSeconds, hold: job.status === 'Paused' },
    signal: new AbortController().signal,
  };
}
