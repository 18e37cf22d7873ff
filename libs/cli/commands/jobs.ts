import { cancelBulkJob, listBulkJobFailures, pauseBulkJob, resumeBulkJob } from '../../client/generated/sdk.gen';
import type { BulkJobDetailDto, JobFailureDto, RetryJobDto, ThrottledDto } from '../../client/generated/types.gen';
import { isOver, type JobProgress } from '../../client/job-events';
import { EXIT, goesOn, Interrupted, UsageError } from '../exit-codes';
import { checkTarget, type FormatFlags, formatOf, writeStream } from '../local-files';
import { counted, keyText } from '../output';
import { ProgressBar } from '../progress-bar';
import { sendingCall } from '../sending-call';
import { firstOf, type Session } from '../session';

const CONTROLS = { pause: pauseBulkJob, resume: resumeBulkJob, cancel: cancelBulkJob };

/** `messaging jobs list` */
export async function list(
  session: Session,
  flags: { limit: number; status?: never; kind?: never; reference?: string; search?: string },
): Promise<number> {
  const { limit, ...filter } = flags;
  const client = await session.client();
  const jobs = await firstOf(client.jobs(filter, { signal: session.signal }), limit);
  await session.out.list(
    jobs,
    [
      ['job', (job) => job.jobId],
      ['status', (job) => job.status],
      ['done', (job) => `${job.progressPercentage} %`],
      ['sent', (job) => job.successfullySent],
      ['failed', (job) => job.failed],
      ['template', (job) => job.templateName],
      ['name', (job) => job.name],
      ['reference', (job) => job.reference],
      ['created', (job) => job.createdAt],
    ],
    'No jobs.',
  );
  return EXIT.done;
}

/** `messaging jobs show <job>` */
export async function show(session: Session, jobId: string): Promise<number> {
  await summary(session, await (await session.client()).job(jobId, { signal: session.signal }));
  return EXIT.done;
}

/** `messaging jobs watch <job>`: until it ends. */
export function watch(session: Session, jobId: string): Promise<number> {
  return follow(session, jobId, true);
}

/** `messaging jobs pause|resume|cancel <job>` */
export async function control(session: Session, action: keyof typeof CONTROLS, jobId: string): Promise<number> {
  const client = await session.client();
  const job = await client.call(CONTROLS[action], { path: { jobId } }, { signal: session.signal });
  session.out.result(job, () => `${job.status}  ${job.jobId}`);
  return EXIT.done;
}

/** `messaging jobs retry <job>`: shows who would receive a message, asks, sends. */
export async function retry(
  session: Session,
  jobId: string,
  flags: { scope: NonNullable<RetryJobDto['scope']>; codes?: string[]; dryRun?: boolean; wait: boolean },
): Promise<number> {
  const client = await session.client();
  const which = { scope: flags.scope, ...(flags.codes && { errorCodes: flags.codes as never }) };
  const check = await client.checkRetry(jobId, which, { signal: session.signal });
  const { recipients, byErrorCode, unreachable, warnings } = check;
  const lines = [
    `A retry would reach ${counted(recipients, 'recipient')}.`,
    ...byErrorCode.map(({ errorCode, count }) => `  ${count} × ${errorCode}`),
    ...unreachable.map(({ errorCode, count }) => `  ${count} × ${errorCode}: cannot be retried`),
    ...warnings,
  ];
  if (flags.dryRun) {
    session.out.result(check, () => lines.join('\n'));
    return EXIT.done;
  }
  session.out.note(lines.join('\n'));
  if (recipients === 0) {
    if (session.out.json) session.out.result(check, () => '');
    return EXIT.refused;
  }
  const question = warnings.length > 0 ? 'Another job already retries some of them. Send anyway' : 'Send again';
  if (!(await session.confirmed(`${question} to ${counted(recipients, 'recipient')}?`))) return EXIT.refused;
  const made = await sendingCall(session, 'messaging jobs list', (sending, signal) =>
    sending.retryJob(jobId, which, { signal }),
  );
  session.out.note(`Accepted: job ${made.jobId}, ${counted(made.totalRecipients, 'recipient')}`, 'green');
  for (const warning of made.warnings) if (!warnings.includes(warning)) session.out.note(warning, 'yellow');
  return follow(session, made.jobId, flags.wait);
}

/** `messaging jobs report <job>`: to a file, or to standard output. */
export async function report(
  session: Session,
  jobId: string,
  flags: FormatFlags & { status?: never; layout?: never },
): Promise<number> {
  const format = formatOf(flags);
  if (format === 'xlsx' && !flags.output && process.stdout.isTTY)
    throw new UsageError('A workbook cannot be printed to a terminal: write it to a file with --output.');
  if (flags.output) checkTarget(flags.output);
  const client = await session.client();
  const query = { format, status: flags.status, layout: flags.layout };
  const body = await client.jobReport(jobId, query, { signal: session.signal });
  await writeStream(body, flags.output, session.signal);
  if (flags.output) session.out.note(`Written to ${flags.output}`);
  return EXIT.done;
}

const WAITS_FOR_OUTCOMES =
  'Cancelled. Waiting for the outcome of messages in flight; unknown ones count as failed after the grace period (15 ' +
  'minutes by default).';

/** Follows a job to its end with a bar and prints a summary; with `follows` false only prints its id. */
export async function follow(session: Session, jobId: string, follows: boolean): Promise<number> {
  const client = await session.client();
  const interrupted = (error: unknown) => (session.signal.aborted ? new Interrupted(goesOn(jobId)) : error);
  if (!follows) {
    const job = await client.job(jobId, { signal: session.signal }).catch((error: unknown) => {
      throw interrupted(error);
    });
    session.out.result(job, () => job.jobId);
    return EXIT.done;
  }
  const bar = await ProgressBar.start(session.out);
  let last: JobProgress['status'] | null = null;
  const onProgress = (progress: JobProgress) => {
    bar.show(progress);
    if (progress.status === 'Paused' && last !== 'Paused')
      session.out.note(`\nPaused: run \`messaging jobs show ${jobId}\` for the reason.`, 'yellow');
    // Below 100 %, a cancelled job has messages without a final outcome.
    if (progress.status === 'Cancelled' && last !== 'Cancelled' && progress.progressPercentage < 100)
      session.out.note(`\n${WAITS_FOR_OUTCOMES}`, 'yellow');
    last = progress.status;
  };
  try {
    const job = await client.waitForJob(jobId, { onProgress, signal: session.signal });
    bar.stop();
    await summary(session, job);
    return job.failed > 0 || job.status !== 'Completed' ? EXIT.someFailed : EXIT.done;
  } catch (error) {
    bar.stop();
    throw interrupted(error);
  }
}

const FAILURE_COLUMNS = [
  ['code', (row: JobFailureDto) => row.errorCode],
  ['failed', (row: JobFailureDto) => row.failed],
  ['undelivered', (row: JobFailureDto) => row.undelivered],
  ['retry', (row: JobFailureDto) => (row.retryable ? 'yes' : 'no')],
  ['first rows', (row: JobFailureDto) => row.firstRows.join(' ')],
] as const satisfies [string, (row: JobFailureDto) => string | number][];

const WAITS: Record<ThrottledDto['reason'], string> = {
  messaging_limit_reached: 'the messaging tier has no room',
  account_rate_limited: 'the platform limits the account',
  template_limited: 'the platform limits the template',
  platform_outage: 'the platform does not answer',
  send_window: 'outside its send window',
  unknown_outcomes: 'all sent, some outcomes are not known yet',
  sending_paused: 'the operator has paused sending for the account',
  restored_copy: 'the database was restored: resume or cancel the job',
  no_worker: 'no worker is running: the operator has to start one',
};

/** Why a job waits, and until when if known. */
export function waitText({ reason, until }: ThrottledDto): string {
  return `waits${until === null ? '' : ` until ${until}`}: ${WAITS[reason]} (${reason})`;
}

async function summary(session: Session, job: BulkJobDetailDto): Promise<void> {
  const failures = job.failed + job.undelivered > 0 ? await failuresOf(session, job.jobId) : [];
  const reason = job.pauseReason?.message ?? job.error?.message ?? (job.throttled && waitText(job.throttled));
  session.out.facts({ ...job, failures }, [
    ['job', job.jobId],
    ['status', reason ? `${job.status}: ${reason}` : job.status],
    ['created by', job.createdBy && keyText(job.createdBy)],
    ['paused by', job.pausedBy && `${keyText(job.pausedBy)}, ${job.pausedAt}`],
    ['cancelled by', job.cancelledBy && keyText(job.cancelledBy)],
    ['template', `${job.templateName} (${job.languageCode})`],
    ['recipients', job.totalRecipients],
    ['sent', job.successfullySent],
    ['  delivered', job.delivered],
    ['  read', job.read],
    ['  undelivered', job.undelivered],
    ['failed', job.failed],
    ['pending', job.pending],
    ['expected end', isOver(job) ? null : job.estimatedCompletionAt],
  ]);
  if (failures.length > 0 && !session.out.json) await session.out.list(failures, FAILURE_COLUMNS, '');
}

async function failuresOf(session: Session, jobId: string): Promise<JobFailureDto[]> {
  const client = await session.client();
  return (await client.call(listBulkJobFailures, { path: { jobId } }, { signal: session.signal })).items;
}
