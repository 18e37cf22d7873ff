import { useState } from 'react';
import type { ScreenProps } from '../../app/screen-props';
import { useSession } from '../../app/session';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { count, counted, words } from '../../ui/format';
import { Link } from '../../ui/link';
import { Panel } from '../../ui/panel';
import { Stat, Stats } from '../../ui/stat';
import { Empty, Loaded, Note } from '../../ui/states';
import type { BulkJobDetailDto, JobFailureDto, RetryJobDto } from '../../../client/generated/types.gen';
import { JobFrame } from './job-frame';
import { reportAddress } from './report-address';
import { RetryDialog } from './retry-dialog';
import { NEVER_TRIED, useFailures } from './use-failures';

type ErrorCodes = NonNullable<RetryJobDto['errorCodes']>;

/** Why recipients of a job failed, which of them a retry can reach, and the retry itself. */
export default function FailuresScreen({ params }: ScreenProps) {
  return <JobFrame jobId={params.jobId!}>{(job) => <Failures job={job} />}</JobFrame>;
}

function Failures({ job }: { job: BulkJobDetailDto }) {
  const session = useSession();
  const [retried, setRetried] = useState<ErrorCodes | null>(null);
  const known = job.failed + job.undelivered;
  const failures = useFailures(job);
  const mayRetry = session.can('jobs:manage') && job.allowedActions.includes('retry');
  return (
    <Loaded query={failures}>
      {({ items }) => {
        const retryable = items.filter((item) => item.retryable);
        const tried = items.filter(({ errorCode }) => errorCode !== NEVER_TRIED);
        if (items.length === 0) {
          return (
            <Empty
              icon="check"
              title="Nobody failed"
              hint={job.pending > 0 ? 'So far. The job is not at its end.' : 'Every recipient was sent to.'}
            />
          );
        }
        return (
          <>
            <Stats>
              <Stat
                label="Failed"
                value={count(sumOf(tried, 'failed'))}
                hint="The platform refused them, or they could not be sent to"
              />
              {tried.length < items.length && (
                <Stat
                  label="Not sent"
                  value={count(sumOf(items, 'failed') - sumOf(tried, 'failed'))}
                  hint="The job ended before their turn"
                />
              )}
              <Stat
                label="Not delivered"
                value={count(sumOf(items, 'undelivered'))}
                hint="Accepted, and reported later as failed"
              />
              <Stat label="A retry can reach" value={people(retryable)} hint={`of ${people(items)}`} />
            </Stats>
            {!mayRetry && session.can('jobs:manage') && retryable.length > 0 && (
              <Note>A retry is possible once the job has come to its end.</Note>
            )}
            <Panel
              title="Reasons, the most frequent first"
              actions={
                mayRetry &&
                retryable.length > 1 && (
                  <Button icon="retry" onClick={() => setRetried(sureCodes(retryable))}>
                    Retry all of these
                  </Button>
                )
              }
            >
              <ul className="failures">
                {items.map((item) => (
                  <Failure
                    key={item.errorCode}
                    item={item}
                    all={known}
                    job={job}
                    onRetry={mayRetry && item.retryable ? () => setRetried([item.errorCode]) : undefined}
                  />
                ))}
              </ul>
            </Panel>
            {retried && <RetryDialog job={job} errorCodes={retried} onClose={() => setRetried(null)} />}
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
          {words(errorCode)}{' '}
          <Badge tone={item.retryable ? 'active' : 'plain'}>{item.retryable ? 'Can be retried' : 'Final'}</Badge>
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
        <Link to={`/jobs/${job.jobId}/recipients?errorCode=${errorCode}`}>Show them</Link>
        <a className="link" href={reportAddress(job.jobId, 'csv', { errorCode })} download>
          Download
        </a>
      </div>
    </li>
  );
}

/** Those that nobody gets twice: where the outcome is unknown, that is asked for alone. */
function sureCodes(items: readonly JobFailureDto[]): ErrorCodes {
  return items.map(({ errorCode }) => errorCode).filter((code) => code !== 'outcome_unknown');
}

function people(items: readonly JobFailureDto[]): string {
  return counted(sumOf(items, 'failed') + sumOf(items, 'undelivered'), 'person', 'people');
}

function sumOf(items: readonly JobFailureDto[], key: 'failed' | 'undelivered'): number {
  return items.reduce((sum, item) => sum + item[key], 0);
}
