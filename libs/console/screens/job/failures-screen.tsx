import { useState } from 'react';
import type { ScreenProps } from '../../app/screen-props';
import { useSession } from '../../app/session';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { count, counted, humanize } from '../../ui/format';
import { Link } from '../../ui/link';
import { Panel } from '../../ui/panel';
import { Stat, Stats } from '../../ui/stat';
import { Empty, Loaded, Note } from '../../ui/states';
import type { BulkJobDetailDto, JobFailureDto, RetryJobDto } from '../../../client/generated/types.gen';
import { JobFrame } from './job-frame';
import { reportUrl } from './report-url';
import { RetryDialog } from './retry-dialog';
import { NOT_ATTEMPTED, useFailures } from './use-failures';

type ErrorCodes = NonNullable<RetryJobDto['errorCodes']>;

/** The failures of a job by reason, with retries. */
export default function FailuresScreen({ params }: ScreenProps) {
  return <JobFrame jobId={params.jobId!}>{(job) => <Failures job={job} />}</JobFrame>;
}

function Failures({ job }: { job: BulkJobDetailDto }) {
  const session = useSession();
  const [retrying, setRetrying] = useState<ErrorCodes | null>(null);
  const total = job.failed + job.undelivered;
  const failures = useFailures(job);
  const canRetry = session.can('jobs:manage') && job.allowedActions.includes('retry');
  return (
    <Loaded query={failures}>
      {({ items }) => {
        const retryable = items.filter((item) => item.retryable);
        const attempted = items.filter(({ errorCode }) => errorCode !== NOT_ATTEMPTED);
        if (items.length === 0) {
          return (
            <Empty
              icon="check"
              title="No failures"
              hint={job.pending > 0 ? 'The job is still running.' : 'Every message was sent.'}
            />
          );
        }
        return (
          <>
            <Stats>
              <Stat
                label="Failed"
                value={count(sumOf(attempted, 'failed'))}
                hint="Rejected by the platform or invalid"
              />
              {attempted.length < items.length && (
                <Stat
                  label="Not sent"
                  value={count(sumOf(items, 'failed') - sumOf(attempted, 'failed'))}
                  hint="The job ended first"
                />
              )}
              <Stat
                label="Not delivered"
                value={count(sumOf(items, 'undelivered'))}
                hint="Accepted, later reported as failed"
              />
              <Stat label="Can be retried" value={people(retryable)} hint={`of ${people(items)}`} />
            </Stats>
            {!canRetry && session.can('jobs:manage') && retryable.length > 0 && (
              <Note>You can retry once the job has ended.</Note>
            )}
            <Panel
              title="Reasons, most frequent first"
              actions={
                canRetry &&
                retryable.length > 1 && (
                  <Button icon="retry" onClick={() => setRetrying(withoutUnknownOutcomes(retryable))}>
                    Retry all
                  </Button>
                )
              }
            >
              <ul className="failures">
                {items.map((item) => (
                  <Failure
                    key={item.errorCode}
                    item={item}
                    all={total}
                    job={job}
                    onRetry={canRetry && item.retryable ? () => setRetrying([item.errorCode]) : undefined}
                  />
                ))}
              </ul>
            </Panel>
            {retrying && <RetryDialog job={job} errorCodes={retrying} onClose={() => setRetrying(null)} />}
          </>
        );
      }}
    </Loaded>
  );
}

function Failure({
  item,
  all,
  job,
  onRetry,
}: {
  item: JobFailureDto;
  all: number;
  job: BulkJobDetailDto;
  onRetry?: () => void;
}) {
  const { errorCode, failed, undelivered } = item;
  const whole = Math.max(all, 1);
  return (
    <li>
      <div className="failure-head">
        <h3>
          {humanize(errorCode)}{' '}
          <Badge tone={item.retryable ? 'active' : 'plain'}>{item.retryable ? 'Retryable' : 'Final'}</Badge>
        </h3>
        <strong className="failure-count">{count(failed + undelivered)}</strong>
      </div>
      <div className="reasons-bar" aria-hidden="true">
        <span style={{ width: `${((failed + undelivered) / whole) * 100}%` }} />
      </div>
      <p>{item.message}</p>
      <p className="hint">
        {[
          failed > 0 && `${count(failed)} failed`,
          undelivered > 0 && `${count(undelivered)} not delivered`,
          item.platformCode !== null && `platform code ${item.platformCode}`,
          `${failed + undelivered === 1 ? 'row' : 'rows'} ${item.firstRows.join(', ')}${failed + undelivered > item.firstRows.length ? ', …' : ''}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <div className="row">
        {onRetry && (
          <Button small icon="retry" onClick={onRetry}>
            Retry these
          </Button>
        )}
        <Link to={`/jobs/${job.jobId}/recipients?errorCode=${errorCode}`}>Show recipients</Link>
        <a className="link" href={reportUrl(job.jobId, 'csv', { errorCode })} download>
          Download
        </a>
      </div>
    </li>
  );
}

/** The codes that are safe to retry together; messages with unknown outcome may be sent twice, so they are retried separately. */
function withoutUnknownOutcomes(items: readonly JobFailureDto[]): ErrorCodes {
  return items.map(({ errorCode }) => errorCode).filter((code) => code !== 'outcome_unknown');
}

function people(items: readonly JobFailureDto[]): string {
  return counted(sumOf(items, 'failed') + sumOf(items, 'undelivered'), 'person', 'people');
}

function sumOf(items: readonly JobFailureDto[], key: 'failed' | 'undelivered'): number {
  return items.reduce((sum, item) => sum + item[key], 0);
}
