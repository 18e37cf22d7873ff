import { ForbiddenError } from '../../client/errors';
import { cancelBulkJob, listBulkJobFailures, pauseBulkJob, resumeBulkJob } from '../../client/generated/sdk.gen';
import type { BulkJobDetailDto, BulkJobDto, JobFailureDto, RetryJobDto } from '../../client/generated/types.gen';
import { isOver, type JobProgress } from '../../client/job-events';
import { pendingOf, UNCONFIRMED } from '../../client/job-figures';
import { firstOf } from '../cut-list';
import { EXIT, Interrupted, leavingText, NOTHING_SENT, UsageError } from '../exit-codes';
import { checkNotJson, checkTarget, type FormatFlags, formatOf, writeStream } from '../local-files';
import { localTime } from '../local-time';
import { warningText } from '../option-names';
import { windowText } from '../option-values';
import { counted, keyText } from '../output';
import { ProgressBar } from '../progress-bar';
import { sendingCall } from '../sending-call';
import type { Session } from '../session';
import { findSender } from './found';
import { COUNTED_APART, countsOf, type JobCounts, needsFailures, percentageOf } from './job-counts';
import { noteOnReports, notesOn, outstandingReports, waitText } from './job-notes';

const CONTROLS = { pause: pauseBulkJob, resume: resumeBulkJob, cancel: cancelBulkJob };

/** Requests for the failures of jobs at a time. */
const COUNTED_AT_ONCE = 10;

/** `messaging jobs list` */
export async function list(
  session: Session,
  flags: { limit: number; status?: never; kind?: never; reference?: string; search?: string },
): Promise<number> {
  const { limit, ...filter } = flags;
  const client = await session.client();
  const jobs = await firstOf(client.jobs({ ...filter, counts: 'true' }, { signal: session.signal }), limit);
  const counts = new Map<BulkJobDto, JobCounts>();
  const count = async (job: BulkJobDto) =>
    counts.set(job, countsOf(job, needsFailures(job) ? await failuresOf(session, job.jobId) : []));
  const shown = session.out.json ? [] : jobs.items;
  for (let from = 0; from < shown.length; from += COUNTED_AT_ONCE) {
    await Promise.all(shown.slice(from, from + COUNTED_AT_ONCE).map(count));
  }
  const of = (job: BulkJobDto) => counts.get(job)!;
  await session.out.list(
    jobs.items,
    [
      ['job', (job) => job.jobId],
      ['status', (job) => job.status],
      ['done', (job) => `${percentageOf(of(job))} %`],
      ['sent', (job) => of(job).sent],
      ['failed', (job) => of(job).failed],
      ['opted out', (job) => session.out.rareCount(of(job).optedOut)],
      ['unconfirmed', (job) => session.out.rareCount(of(job).unconfirmed)],
      ['not sent', (job) => session.out.rareCount(of(job).notSent)],
      ['invalid', (job) => session.out.rareCount(of(job).invalid)],
      ['template', (job) => job.templateName],
      ['name', (job) => job.name],
      ['reference', (job) => job.reference],
      ['created', (job) => job.createdAt],
    ],
    'No jobs.',
  );
  session.out.noteIfCut({ count: jobs.items.length, hasMore: jobs.hasMore });
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

/** `messaging jobs pause|resume|cancel <job>`: asks before it cancels messages, which is final. */
export async function control(session: Session, action: keyof typeof CONTROLS, jobId: string): Promise<number> {
  const client = await session.client();
  if (action === 'cancel' && !(await agreedToCancel(session, jobId))) return EXIT.refused;
  const job = await client.call(CONTROLS[action], { path: { jobId } }, { signal: session.signal });
  session.out.result(job, () => `${job.status}  ${job.jobId}`);
  return EXIT.done;
}

async function agreedToCancel(session: Session, jobId: string): Promise<boolean> {
  // A key without jobs:read can cancel, too.
  if (session.isConfirmed) return true;
  const client = await session.client();
  const job = await client.job(jobId, { signal: session.signal });
  const pending = pendingOf(job);
  // The service refuses to cancel a job that is over.
  if (isOver(job) || pending === 0) return true;
  const question = `Cancel job ${jobId}? ${counted(pending, 'message')} will not be sent.`;
  return session.confirmed(question, 'Nothing was cancelled.');
}

/** Options of a retry. */
interface RetryFlags {
  scope: NonNullable<RetryJobDto['scope']>;
  codes?: string[];
  skipRetried?: boolean;
  sender?: string;
  dryRun?: boolean;
  idempotencyKey?: string;
  wait: boolean;
}

/** `messaging jobs retry <job>`: shows who would receive a message, asks, sends. */
export async function retry(session: Session, jobId: string, flags: RetryFlags): Promise<number> {
  session.undone = NOTHING_SENT;
  const client = await session.client();
  const which = {
    scope: flags.scope,
    ...(flags.codes && { errorCodes: flags.codes as never }),
    ...(flags.skipRetried && { skipRetried: true }),
    ...(flags.sender !== undefined && { senderId: await findSender(session, flags.sender) }),
  };
  const check = await client.checkRetry(jobId, which, { signal: session.signal });
  const { recipients, byErrorCode, unreachable, leftOut, warnings } = check;
  const lines = [
    `A retry would reach ${counted(recipients, 'recipient')}.`,
    ...byErrorCode.map(({ errorCode, count }) => `  ${count} × ${errorCode}`),
    ...unreachable.map(({ errorCode, count }) => `  ${count} × ${errorCode}: cannot be retried`),
    ...(leftOut ? [`  ${leftOut} × left out: an earlier retry reached them, or may`] : []),
    ...(await unconfirmedLeftOut(session, jobId, flags)),
    ...warnings.map(warningText),
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
  const question =
    warnings.length > 0
      ? 'Another job already retries some; --skip-retried leaves them out. Send anyway'
      : 'Send again';
  if (!(await session.confirmed(`${question} to ${counted(recipients, 'recipient')}?`, NOTHING_SENT)))
    return EXIT.refused;
  const { idempotencyKey } = flags;
  const made = await sendingCall(session, 'messaging jobs list', (sending, signal) =>
    sending.retryJob(jobId, which, { signal, idempotencyKey }),
  );
  session.out.note(`Accepted: job ${made.jobId}, ${counted(made.totalRecipients, 'recipient')}`, 'green');
  for (const warning of made.warnings)
    if (!warnings.includes(warning)) session.out.note(warningText(warning), 'yellow');
  return follow(session, made.jobId, flags.wait);
}

/** A line about the unconfirmed recipients that the options leave out; none if there are none, or the key may not read them. */
async function unconfirmedLeftOut(session: Session, jobId: string, { scope, codes }: RetryFlags): Promise<string[]> {
  const isOtherScope = scope === 'failed' || scope === 'undelivered';
  if (!isOtherScope || codes?.includes(UNCONFIRMED) === false) return [];
  const failures = await failuresOf(session, jobId).catch((error: unknown) => {
    if (!(error instanceof ForbiddenError)) throw error;
    return [];
  });
  const left = failures.find(isUnconfirmed)?.failed ?? 0;
  if (left === 0) return [];
  return [`  ${left} × ${UNCONFIRMED}: left out because they may have been sent; --scope unknown includes them`];
}

/** `messaging jobs report <job>`: to a file, or to standard output. */
export async function report(
  session: Session,
  jobId: string,
  flags: FormatFlags & { status?: never; layout?: never },
): Promise<number> {
  const format = formatOf(flags);
  if (!flags.output) checkNotJson(session.out, 'A report');
  if (!flags.output && process.stdout.isTTY)
    throw new UsageError(
      'A report can have a million rows: write it to a file with --output, or pipe it to a program.',
    );
  if (flags.output) checkTarget(flags.output);
  const client = await session.client();
  const query = { format, status: flags.status, layout: flags.layout };
  const body = await client.jobReport(jobId, query, { signal: session.signal });
  await writeStream(body, flags.output, session.signal);
  if (flags.output) session.out.note(`Written to ${flags.output}`);
  return EXIT.done;
}

/** Follows a job to its end with a bar and prints a summary; with `follows` false only prints its id. */
export async function follow(session: Session, jobId: string, follows: boolean): Promise<number> {
  const client = await session.client();
  let hasEnded = false;
  const interrupted = (error: unknown) =>
    session.signal.aborted ? new Interrupted(leavingText(jobId, hasEnded)) : error;
  if (!follows) {
    const job = await client.job(jobId, { signal: session.signal }).catch((error: unknown) => {
      throw interrupted(error);
    });
    session.out.result(job, () => job.jobId);
    return EXIT.done;
  }
  const bar = await ProgressBar.start(session.out);
  try {
    // Events do not count invalid rows apart, and their number never changes.
    const { startsAt, sendWindow, invalidRows } = await client.job(jobId, { signal: session.signal });
    const notes = notesOn(jobId, sendWindow?.timeZone);
    const onProgress = (progress: JobProgress) => {
      hasEnded = isOver(progress);
      bar.show({ ...progress, invalidRows });
      for (const note of notes(progress)) session.out.note(session.out.isLive ? `\n${note}` : note, 'yellow');
    };
    if (startsAt) session.out.note(`The job starts ${localTime(startsAt, sendWindow?.timeZone)}.`);
    const job = await client.waitForJob(jobId, { onProgress, signal: session.signal });
    bar.stop();
    await summary(session, job);
    const reports = noteOnReports(job);
    if (reports) session.out.note(reports, 'yellow');
    return job.failed > 0 || job.status !== 'Completed' ? EXIT.someFailed : EXIT.done;
  } catch (error) {
    bar.stop();
    throw interrupted(error);
  }
}

/** The columns of reasons: unconfirmed recipients are not unsent, as the platform may have accepted them. */
function failureColumns({ out }: Session): [string, (row: JobFailureDto) => string | number | null][] {
  return [
    ['code', (row) => row.errorCode],
    ['unsent', (row) => (isUnconfirmed(row) ? 0 : row.failed)],
    ['undelivered', (row) => row.undelivered],
    ['unconfirmed', (row) => out.rareCount(isUnconfirmed(row) ? row.failed : 0)],
    ['retry', retryText],
    ['first rows', (row) => row.firstRows.join(' ')],
  ];
}

function isUnconfirmed({ errorCode }: JobFailureDto): boolean {
  return errorCode === UNCONFIRMED;
}

/** Whether a retry reaches them; unconfirmed ones only with its own scope. */
function retryText(row: JobFailureDto): string {
  if (!row.retryable) return 'no';
  return isUnconfirmed(row) ? '--scope unknown' : 'yes';
}

async function summary(session: Session, job: BulkJobDetailDto): Promise<void> {
  const failures = job.failed + job.undelivered > 0 ? await failuresOf(session, job.jobId) : [];
  const { failed, optedOut, unconfirmed, notSent, invalid, pending, unconfirmedYet } = countsOf(job, failures);
  const zone = job.sendWindow?.timeZone;
  const reason = job.pauseReason?.message ?? job.error?.message ?? (job.throttled && waitText(job.throttled, zone));
  session.out.facts({ ...job, failures }, [
    ['job', job.jobId],
    ['status', reason ? `${job.status}: ${reason}` : job.status],
    ['created by', job.createdBy && keyText(job.createdBy)],
    ['paused by', job.pausedBy && `${keyText(job.pausedBy)}, ${localTime(job.pausedAt!, zone)}`],
    ['cancelled by', job.cancelledBy && keyText(job.cancelledBy)],
    ['template', `${job.templateName} (${job.languageCode})`],
    ['starts', job.startsAt && localTime(job.startsAt, zone)],
    ['send window', job.sendWindow && windowText(job.sendWindow)],
    ['recipients', job.totalRecipients],
    ['sent', job.successfullySent],
    ['  delivered', job.delivered],
    ['  read', job.read],
    ['  undelivered', job.undelivered],
    ['  reports outstanding', outstandingReports(job) || null],
    ['failed', failed],
    ['opted out', optedOut || null],
    ['unconfirmed', unconfirmed || null],
    ['not sent', notSent || null],
    ['invalid', invalid || null],
    ['pending', pending],
    ['  not confirmed yet', unconfirmedYet || null],
    ['expected end', isOver(job) ? null : job.estimatedCompletionAt && localTime(job.estimatedCompletionAt, zone)],
  ]);
  const reasons = failures.filter(({ errorCode }) => !COUNTED_APART.includes(errorCode));
  if (reasons.length > 0 && !session.out.json) await session.out.list(reasons, failureColumns(session), '');
}

async function failuresOf(session: Session, jobId: string): Promise<JobFailureDto[]> {
  const client = await session.client();
  return (await client.call(listBulkJobFailures, { path: { jobId } }, { signal: session.signal })).items;
}
