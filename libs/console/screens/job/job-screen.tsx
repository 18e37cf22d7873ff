import type { ReactNode } from 'react';
import type { ScreenProps } from '../../app/screen-props';
import { STATE_WORDS } from '../../app/states';
import { rich, t } from '../../language/translate';
import { duration, pace, share } from '../../ui/format';
import { useNow } from '../../ui/now';
import { Fact, Facts, Panel } from '../../ui/panel';
import { Time } from '../../ui/time';
import { isOver } from '../../../client/job-events';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import { AudienceFacts } from './job-audience';
import { JobBar } from './job-bar';
import { JobFrame } from './job-frame';
import { JobFunnel } from './job-funnel';
import { JobMessage } from './job-message';
import { JobPace, useJobPace } from './job-pace';
import { JobReason } from './job-reason';
import { Retries } from './retries';
import { stopReason } from './stop-reason';
import { sendingTimeOf } from './sending-time';
import { describeWindow } from './send-window-text';
import { type JobCounts, outcomeText, resultText, UNKNOWN } from './job-counts';
import { isAwaitingConfirmation, notReached } from './job-outcome';
import { useJobCounts } from './use-job-counts';

/** A job that ends within this time ends “in a few seconds”. */
const SOON_MS = 10_000;

/** The progress of a job or, once it is over, its result; its course and its details. */
export default function JobScreen({ params }: ScreenProps) {
  return <JobFrame jobId={params.jobId!}>{(job) => <Job job={job} />}</JobFrame>;
}

function Job({ job }: { job: BulkJobDetailDto }) {
  const counts = useJobCounts(job);
  return (
    <>
      <JobReason job={job} explain={stopReason} />
      <div className="job-panels">
        <div className="stack">
          <Panel title={isOver(job) ? t('Result') : t('Progress')}>
            {job.status === 'Completed' ? (
              <div className="job-far">
                <strong className="job-percent">
                  {job.successfullySent > 0 ? resultText(job) : t('Nothing was sent')}
                </strong>
                <span className="hint">
                  <Outcome job={job} counts={counts} />
                </span>
              </div>
            ) : (
              <>
                <div className="job-far">
                  <strong className="job-percent">{progressText(job, counts)}</strong>
                  <span className="hint">
                    <Processed job={job} counts={counts} />
                  </span>
                  {!isOver(job) && !isAwaitingConfirmation(job) && job.ratePerSecond !== null && (
                    <span className="hint">{pace(job.ratePerSecond)}</span>
                  )}
                </div>
                <JobBar job={job} counts={counts} />
              </>
            )}
            {isOver(job) && notReached(job) > 0 && <Retries job={job} />}
            {job.failed + job.successfullySent > 0 && <JobFunnel job={job} counts={counts} />}
          </Panel>
          <JobPace job={job} />
        </div>
        <div className="stack">
          <JobMessage job={job} />
          <Panel title={t('Details')}>
            <Details job={job} />
          </Panel>
        </div>
      </div>
    </>
  );
}

function progressText(job: BulkJobDetailDto, { unsorted, processed, valid }: JobCounts): string {
  if (isAwaitingConfirmation(job)) return t('All messages sent');
  if (unsorted > 0) return UNKNOWN;
  if (processed === 0 && job.throttled?.reason === 'platform_outage') return t('Nothing sent yet');
  return t('{share} processed', { share: share(processed, valid) });
}

/** What became of the recipients so far, and when the others are expected to be done. */
function Processed({ job, counts }: { job: BulkJobDetailDto; counts: JobCounts }): ReactNode {
  const now = useNow();
  const outcome = outcomeText(counts);
  const { estimatedCompletionAt, startsAt, pending } = job;
  // What is awaited, and until when, is said above.
  if (!estimatedCompletionAt || pending === 0 || isAwaitingConfirmation(job)) return outcome;
  if (Date.parse(estimatedCompletionAt) < now.getTime() + SOON_MS) {
    return t('{outcome}. Ends in a few seconds.', { outcome });
  }
  const start = job.status === 'Scheduled' ? startsAt : undefined;
  const end = <Time at={estimatedCompletionAt} as={start ? 'clock' : 'remaining'} />;
  return start
    ? rich('{outcome}. Starts {start}, ends around {end}.', { outcome, start: <Time at={start} />, end })
    : rich('{outcome}. Ends in about {end}.', { outcome, end });
}

/** What became of the recipients, how long it took, and the average pace. */
function Outcome({ job, counts }: { job: BulkJobDetailDto; counts: JobCounts }): ReactNode {
  const outcome = outcomeText(counts);
  const paces = useJobPace(job);
  const took = tookOf(job.startedAt, job.completedAt);
  if (took === null || job.ratePerSecond === null) return outcome;
  const time = paces.data && sendingTimeOf(job, paces.data);
  if (time) {
    return t('{outcome}. Sent within {duration}, {pace} on average, then waited {wait} for outcomes.', {
      ...{ outcome, duration: duration(time.sending), pace: pace(time.perSecond), wait: duration(time.waiting) },
    });
  }
  return t('{outcome}. Took {duration}, {pace} on average.', {
    ...{ outcome, duration: took, pace: pace(job.ratePerSecond) },
  });
}

function tookOf(startedAt: string | null, completedAt: string | null): string | null {
  return startedAt && completedAt ? duration((Date.parse(completedAt) - Date.parse(startedAt)) / 1000) : null;
}

function Details({ job }: { job: BulkJobDetailDto }) {
  const took = tookOf(job.startedAt, job.completedAt);
  return (
    <Facts>
      <Fact label={t('Created')}>
        <Time at={job.createdAt} as="exact" />
      </Fact>
      {job.scheduledAt && (
        <Fact label={t('Scheduled for')}>
          <Time at={job.startsAt ?? job.scheduledAt} as="planned" />
        </Fact>
      )}
      {job.startedAt && (
        <Fact label={t('Started')}>
          <Time at={job.startedAt} as="exact" />
        </Fact>
      )}
      {job.completedAt && (
        <Fact label={job.status === 'Completed' ? STATE_WORDS.Completed : t('Ended')}>
          {took === null ? (
            <Time at={job.completedAt} as="exact" />
          ) : (
            rich('{time} after {duration}', { time: <Time at={job.completedAt} as="exact" />, duration: took })
          )}
        </Fact>
      )}
      {job.audience && <AudienceFacts audience={job.audience} />}
      {job.sendWindow && <Fact label={t('Sending hours')}>{describeWindow(job.sendWindow)}</Fact>}
      {job.validUntil && (
        <Fact label={t('Valid until')}>
          <Time at={job.validUntil} as="exact" />
        </Fact>
      )}
      {job.duplicateRows > 0 && (
        <Fact label={t('Repeated')}>{t('{count, number} skipped', { count: job.duplicateRows })}</Fact>
      )}
      {job.recipientsExpiredAt && (
        <Fact label={t('Recipients')}>
          {rich('deleted {time} after the retention period', { time: <Time at={job.recipientsExpiredAt} /> })}
        </Fact>
      )}
      <Fact label={t('Job ID')}>
        <code>{job.jobId}</code>
      </Fact>
    </Facts>
  );
}
