import type { ScreenProps } from '../../app/screen-props';
import { Funnel } from '../../ui/charts/funnel';
import { count, counted, duration, pace, share } from '../../ui/format';
import { Link } from '../../ui/link';
import { useNow } from '../../ui/now';
import { Fact, Facts, Panel } from '../../ui/panel';
import { Stat, Stats } from '../../ui/stat';
import { Time } from '../../ui/time';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import { JobBar } from './job-bar';
import { JobFrame } from './job-frame';
import { JobPace } from './job-pace';
import { JobReason } from './job-reason';
import { useNotAttempted } from './use-failures';
import { progressText } from './use-job';
import { describeWindow } from './send-window-text';

/** The progress of a job: counts, pace, outcome and details. */
export default function JobScreen({ params }: ScreenProps) {
  return <JobFrame jobId={params.jobId!}>{(job) => <Progress job={job} />}</JobFrame>;
}

function Progress({ job }: { job: BulkJobDetailDto }) {
  const notAttempted = useNotAttempted(job);
  const failed = job.failed - notAttempted;
  const attempted = job.successfullySent + failed;
  const notSent = job.pending + notAttempted;
  return (
    <>
      <JobReason job={job} />
      <Panel title="Progress">
        <div className="job-far">
          <strong className="job-percent">{progressText(job, notAttempted)}</strong>
          <span className="hint">
            {count(attempted)} of {count(job.totalRecipients)} processed
            <Schedule job={job} />
          </span>
        </div>
        <JobBar job={job} notAttempted={notAttempted} />
        <Stats>
          <Stat
            label="Sent"
            value={count(job.successfullySent)}
            hint={share(job.successfullySent, job.totalRecipients)}
          />
          <Stat
            label="Failed"
            value={count(failed)}
            tone={failed > 0 ? 'danger' : undefined}
            hint={
              job.invalidRows > 0
                ? `includes ${counted(job.invalidRows, 'invalid row')}`
                : share(failed, job.totalRecipients)
            }
            to={job.failed > 0 ? `/jobs/${job.jobId}/failures` : undefined}
          />
          {job.status === 'Cancelled' || job.status === 'Failed' ? (
            <Stat
              label="Not sent"
              value={count(notSent)}
              hint={job.status === 'Cancelled' ? 'The job was cancelled' : 'The job failed'}
            />
          ) : (
            <Stat label="Not sent yet" value={count(notSent)} hint={share(notSent, job.totalRecipients)} />
          )}
          <Stat label="Pace" value={job.ratePerSecond === null ? '–' : pace(job.ratePerSecond)} />
        </Stats>
      </Panel>
      <div className="columns">
        <Panel title="Outcome">
          <Funnel
            label="Outcome"
            total={job.totalRecipients}
            steps={[
              { label: 'Sent', value: job.successfullySent, color: 'var(--chart-sent)' },
              { label: 'Delivered', value: job.delivered, color: 'var(--chart-delivered)' },
              { label: 'Read', value: job.read, color: 'var(--chart-read)' },
              { label: 'Not delivered', value: job.undelivered, color: 'var(--chart-failed)' },
              { label: 'Failed', value: failed, color: 'var(--chart-failed)' },
            ]}
          />
        </Panel>
        <Panel title="Details">
          <Details job={job} />
        </Panel>
      </div>
      <JobPace job={job} />
    </>
  );
}

function Schedule({ job }: { job: BulkJobDetailDto }) {
  const now = useNow();
  if (!job.estimatedCompletionAt || job.pending === 0) return null;
  const isScheduled = job.status === 'Scheduled' && job.scheduledAt !== null;
  return (
    <>
      {isScheduled && (
        <>
          , starts <Time at={job.scheduledAt!} />
        </>
      )}
      {Date.parse(job.estimatedCompletionAt) > now.getTime() ? (
        <>
          , ends around <Time at={job.estimatedCompletionAt} as={isScheduled ? 'clock' : 'relative'} />
        </>
      ) : (
        ', done in a few seconds'
      )}
    </>
  );
}

function Details({ job }: { job: BulkJobDetailDto }) {
  return (
    <Facts>
      <Fact label="Created">
        <Time at={job.createdAt} as="exact" />
      </Fact>
      {job.scheduledAt && (
        <Fact label="Scheduled for">
          <Time at={job.scheduledAt} as="exact" />
        </Fact>
      )}
      {job.startedAt && (
        <Fact label="Started">
          <Time at={job.startedAt} as="exact" />
        </Fact>
      )}
      {job.completedAt && (
        <Fact label="Completed">
          <Time at={job.completedAt} as="exact" />
          {job.startedAt && <> after {duration((Date.parse(job.completedAt) - Date.parse(job.startedAt)) / 1000)}</>}
        </Fact>
      )}
      {job.sendWindow && <Fact label="Sending hours">{describeWindow(job.sendWindow)}</Fact>}
      {job.validUntil && (
        <Fact label="Valid until">
          <Time at={job.validUntil} as="exact" />
        </Fact>
      )}
      {job.retryOf && (
        <Fact label="Retry of">
          <Link to={`/jobs/${job.retryOf}`}>Original job</Link>
        </Fact>
      )}
      {job.duplicateRows > 0 && <Fact label="Duplicates">{counted(job.duplicateRows, 'row')} skipped</Fact>}
      {job.skipped > 0 && <Fact label="Opted out">{counted(job.skipped, 'person', 'people')} skipped</Fact>}
      {job.unknown > 0 && <Fact label="Unknown">{count(job.unknown)} not confirmed yet</Fact>}
      {job.recipientsExpiredAt && (
        <Fact label="Recipients">
          deleted <Time at={job.recipientsExpiredAt} /> after the retention period
        </Fact>
      )}
      <Fact label="Job ID">
        <code>{job.jobId}</code>
      </Fact>
    </Facts>
  );
}
