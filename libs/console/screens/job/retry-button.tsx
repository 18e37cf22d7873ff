import { useState } from 'react';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import { NOT_ATTEMPTED } from '../../../client/job-figures';
import { useJobList } from '../jobs/use-job-list';
import { RetryDialog } from './retry-dialog';
import { defaultScope, worthRetrying } from './retry-scope';
import { useFailures } from './use-failures';

/** Opens the dialog to retry a job, with the number that it starts with; the main action where that is worth it and not done yet. */
export function RetryButton({ job }: { job: BulkJobDetailDto }) {
  const [isOpen, setOpen] = useState(false);
  const failures = useFailures(job);
  const retries = useJobList({ retryOf: job.jobId });
  const items = failures.data?.items ?? [];
  const retryable = items.filter((item) => item.retryable);
  const worth = worthRetrying(defaultScope(items), items);
  // What an earlier retry reached is left out; the dialog counts it.
  const isFirst = retries.data?.totalCount === 0;
  const number = isFirst ? worth : 0;
  const isUnsent = isFirst && retryable.length > 0 && retryable.every(({ errorCode }) => errorCode === NOT_ATTEMPTED);
  const title = isUnsent
    ? t('{count, plural, one {Send to the remaining one} other {Send to the remaining #}}', {
        count: retryable[0]!.failed,
      })
    : number === 0
      ? t('Retry')
      : t('Retry {count, plural, one {# message} other {# messages}}', { count: number });
  return (
    <>
      <Button
        variant={number > 0 ? 'primary' : 'plain'}
        icon="retry"
        disabled={failures.isPending || retries.isPending}
        onClick={() => setOpen(true)}
      >
        {t('{action}…', { action: title })}
      </Button>
      {isOpen && <RetryDialog job={job} failures={failures.data?.items} title={title} onClose={() => setOpen(false)} />}
    </>
  );
}
