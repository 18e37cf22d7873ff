import type { BulkJobDetailDto } from '../../../libs/client/generated/types.gen';
import { detailOf, doubled, ended } from '../../support/process/bulk';
import type { Accepted, Platform } from '../../support/process/platform';
import { until } from '../../support/process/service';
import type { Deployment } from './deployment';
import type { SentJob, SentSingle } from './workload';

interface RecipientRow {
  job_id: string;
  phone: string;
  message_id: string;
  outcome: string | null;
  problem: string | null;
}

interface SingleRow {
  id: string;
  contact_phone: string;
  status: string;
  problem: string | null;
}

const END_MS = 90_000;
const REPORTS_MS = 120_000;
/** The longest response time of any request during faults; faults of the API's own links add to it. */
const LONGEST_ANSWER_MS = 15_000;
/** Expected statuses of single sends: sent, queued, or retry later. */
const EXPECTED_STATUSES = [201, 202, 429, 503];
const SENT = ['Sent', 'Delivered', 'Read'];

/** Compares the platform's ledger with the database for everything that was sent. */
export class ConsistencyCheck {
  constructor(
    private readonly deployment: Deployment,
    private readonly platform: Platform,
  ) {}

  /** Waits until every job has ended and every single send is settled; returns the jobs as shown by the API. */
  async ended(jobs: readonly SentJob[]): Promise<Map<string, BulkJobDetailDto>> {
    const found = new Map<string, BulkJobDetailDto>();
    for (const job of jobs) found.set(job.jobId, await this.endOf(job));
    const { postgres } = this.deployment;
    const open = `SELECT 1 FROM single_sends WHERE outcome IS NULL OR (outcome = 'Unknown' AND problem IS NULL)`;
    await until(async () => (await postgres.rows(open)).length === 0, END_MS, 'every single send is settled');
    return found;
  }

  /** Waits while the job makes progress; fails with its detail once it stops. */
  private async endOf({ jobId, key }: SentJob): Promise<BulkJobDetailDto> {
    const client = this.deployment.client();
    for (let before = -1; ;) {
      try {
        return await ended(client, jobId, END_MS, key);
      } catch (error) {
        const job = await detailOf(client, jobId, key);
        const settled = job.successfullySent + job.failed;
        if (settled === before)
          throw new Error(`${(error as Error).message}: ${JSON.stringify(job)}`, { cause: error });
        before = settled;
      }
    }
  }

  /** Once every report is delivered, everything the platform accepted is recorded as sent, from its response or its report. */
  async expectProved(): Promise<void> {
    await this.reportsDelivered();
    const sent = new Set((await this.recipients()).filter(isSent).map((row) => row.message_id));
    for (const { id } of (await this.singles()).filter(({ status }) => SENT.includes(status))) sent.add(id);
    const missing = (await this.platform.ledger()).filter((entry) => !sent.has(messageOf(entry)));
    expect(missing).toEqual([]);
  }

  /** Waits while the platform delivers reports; fails, with the number left, once it stops. */
  private async reportsDelivered(): Promise<void> {
    let least = Number.POSITIVE_INFINITY;
    for (;;) {
      const hasProgress = async () => {
        const { webhooks } = await this.platform.stats();
        const left = webhooks.statusesWaiting + webhooks.underWay + webhooks.waitingForRetry;
        if (left > 0 && left >= least) return false;
        least = left;
        return true;
      };
      await until(hasProgress, REPORTS_MS, `the platform delivers more of its last ${least} reports`);
      if (least === 0) return;
    }
  }

  /** Expects no duplicates, no missing recipients, and nothing sent that the platform lacks; returns the number of unknown recipients. */
  async expectJobs(jobs: readonly SentJob[]): Promise<number> {
    const ledger = (await this.platform.ledger()).map(messageOf);
    expect(doubled(ledger)).toEqual([]);
    const accepted = new Set(ledger);
    const rows = await this.recipients();
    const made = await this.deployment.postgres.rows<{ id: string }>('SELECT id FROM bulk_jobs ORDER BY id');
    expect(made.map(({ id }) => id)).toEqual(jobs.map(({ jobId }) => jobId).sort());
    let unknown = 0;
    for (const { jobId, key, numbers } of jobs) {
      const ofJob = rows.filter((row) => row.job_id === jobId);
      const sent = ofJob.filter(isSent);
      const unknowns = ofJob.filter(({ outcome, problem }) => outcome === 'Unknown' && problem === 'outcome_unknown');
      expect(ofJob.map((row) => row.phone).sort()).toEqual([...numbers].sort());
      expect(ofJob.filter((row) => !sent.includes(row) && !unknowns.includes(row))).toEqual([]);
      expect(sent.filter((row) => !accepted.has(row.message_id))).toEqual([]);
      const { body } = await this.deployment.client().get(`/bulk-jobs/${jobId}`, { key });
      expect(body).toMatchObject({
        status: 'Completed',
        progressPercentage: 100,
        totalRecipients: numbers.length,
        successfullySent: sent.length,
        failed: unknowns.length,
        unknown: unknowns.length,
        pending: 0,
      });
      unknown += unknowns.length;
    }
    return unknown;
  }

  /** Expects that responses to clients, the message history and the platform agree on single sends; returns the number of unknown ones. */
  async expectSingles(singles: readonly SentSingle[]): Promise<number> {
    const accepted = new Set((await this.platform.ledger()).map(messageOf));
    const rows = new Map((await this.singles()).map((row) => [row.id, row]));
    const unknown = [...rows.values()].filter(({ problem }) => problem === 'outcome_unknown');
    const sent = [...rows.values()].filter(({ status }) => SENT.includes(status));
    expect([...rows.values()].filter((row) => !unknown.includes(row) && !sent.includes(row))).toEqual([]);
    expect(sent.filter(({ id }) => !accepted.has(id))).toEqual([]);
    expect(doubled([...rows.values()].map((row) => row.contact_phone))).toEqual([]);
    const taken = singles.filter(({ status }) => status === 201 || status === 202);
    expect(taken.filter(({ messageId }) => !rows.has(messageId!))).toEqual([]);
    const confirmed = taken.filter(({ status }) => status === 201);
    expect(confirmed.filter(({ messageId }) => !accepted.has(messageId!))).toEqual([]);
    return unknown.length;
  }

  /** Every request got a timely response with a remedy, or a broken connection when the API was killed. */
  expectClearAnswers(singles: readonly SentSingle[], linkFaultMs = 0): void {
    expect(singles.filter(({ status }) => status !== null && !EXPECTED_STATUSES.includes(status))).toEqual([]);
    expect(singles.filter(({ ms }) => ms > LONGEST_ANSWER_MS + linkFaultMs)).toEqual([]);
  }

  /** No process crashed, and no response was 500. */
  expectNoneFailed(): void {
    const log = this.deployment.all.flatMap((one) => one.log);
    expect(log.filter((line) => line.includes('"level":60') || line.includes('"statusCode":500'))).toEqual([]);
  }

  private recipients(): Promise<RecipientRow[]> {
    return this.deployment.postgres.rows<RecipientRow>(
      'SELECT job_id, phone, message_id, outcome, problem FROM job_recipients ORDER BY job_id, position',
    );
  }

  private singles(): Promise<SingleRow[]> {
    return this.deployment.postgres.rows<SingleRow>(
      `SELECT id, contact_phone, status, problem FROM messages WHERE job_id IS NULL AND direction = 'Outbound'`,
    );
  }
}

const isSent = ({ outcome }: RecipientRow) => outcome === 'Sent';

/** The message of a ledger entry, for any attempt. */
export function messageOf({ callbackData }: Accepted): string {
  return callbackData.split('.')[0]!;
}
