import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSendOnce } from '../../app/send-once';
import { FormDialog } from '../../ui/form-dialog';
import { count, counted, humanize } from '../../ui/format';
import { Select } from '../../ui/select';
import { Loaded, Loading, Note } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { retryBulkJob } from '../../../client/generated/sdk.gen';
import type {
  BulkJobDetailDto,
  CreatedRetryDto,
  RetryCheckDto,
  RetryJobDto,
} from '../../../client/generated/types.gen';

type Scope = NonNullable<RetryJobDto['scope']>;

const SCOPES: readonly { value: Scope; label: string }[] = [
  { value: 'failed', label: 'Failed or cancelled' },
  { value: 'undelivered', label: 'Not delivered' },
  { value: 'unknown', label: 'Outcome unknown' },
  { value: 'all', label: 'All' },
];

/** The dialog to retry recipients; shows the exact count first. `errorCodes`: only recipients with one of these errors. */
export function RetryDialog({
  job,
  errorCodes,
  onClose,
}: {
  job: BulkJobDetailDto;
  errorCodes?: NonNullable<RetryJobDto['errorCodes']>;
  onClose: () => void;
}) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const [scope, setScope] = useState<Scope>(errorCodes ? 'all' : defaultScope(job));
  const body = { scope, ...(errorCodes && { errorCodes }) };
  const path = { jobId: job.jobId };
  const check = useQuery({
    queryKey: queryKeys.job.retryCheck(job.jobId, body),
    queryFn: async ({ signal }) =>
      (await call(retryBulkJob, { path, body: { ...body, dryRun: true } }, { signal })) as RetryCheckDto,
    staleTime: 0,
    gcTime: 0,
  });
  const send = useSendOnce(
    useCallback(
      async (what: RetryJobDto, idempotencyKey: string) =>
        (await call(retryBulkJob, { path: { jobId: job.jobId }, body: what }, { idempotencyKey })) as CreatedRetryDto,
      [job.jobId],
    ),
  );
  const reached = check.data?.recipients ?? 0;
  const otherRetry = otherRetryOf(check.data);
  const retried = useMutation({
    mutationFn: send,
    onSuccess: (created) => {
      void queries.invalidateQueries({ queryKey: queryKeys.jobs.all });
      showToast(`A new job sends to ${counted(created.totalRecipients, 'recipient')}`);
      navigate(`/jobs/${created.jobId}`);
      onClose();
    },
  });
  const mayDuplicate = errorCodes ? errorCodes.includes('outcome_unknown') : scope === 'unknown' || scope === 'all';
  return (
    <FormDialog
      title="Retry recipients"
      lead="A new job sends the same template with the same values. This job is not changed."
      cancel="Cancel"
      action={reached > 0 ? `Retry ${count(reached)}${otherRetry ? ' anyway' : ''}` : 'Retry'}
      icon="retry"
      disabled={reached === 0 || check.isFetching}
      mutation={retried}
      onSubmit={() => retried.mutate(body)}
      onClose={onClose}
    >
      {!errorCodes && <Select label="Recipients" value={scope} choices={SCOPES} onChange={setScope} />}
      <Loaded query={check} loading={<Loading rows={2} label="Counting" />}>
        {(found) => <CheckResult check={found} />}
      </Loaded>
      {otherRetry && (
        <Note tone="warning">
          <Link to={`/jobs/${otherRetry}`}>Another job</Link> already retries some of these recipients. They may receive
          the message twice.
        </Note>
      )}
      {mayDuplicate && job.unknown > 0 && (
        <Note tone="warning">
          Recipients with an unknown outcome may already have the message and could receive it twice.
        </Note>
      )}
    </FormDialog>
  );
}

function CheckResult({ check }: { check: RetryCheckDto }) {
  return (
    <div className="stack">
      <p>
        <strong>{counted(check.recipients, 'recipient')}</strong>{' '}
        {check.recipients === 0 ? 'can be retried.' : 'will be retried.'}
      </p>
      {check.byErrorCode.length > 0 && <Reasons label="By reason" items={check.byErrorCode} />}
      {check.unreachable.length > 0 && <Reasons label="Cannot be retried" items={check.unreachable} />}
    </div>
  );
}

function Reasons({ label, items }: { label: string; items: RetryCheckDto['byErrorCode'] }) {
  return (
    <div>
      <p className="field-label">{label}</p>
      <ul className="retry-reasons">
        {items.map((item) => (
          <li key={item.errorCode}>
            <span>{humanize(item.errorCode)}</span>
            <span>{count(item.count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The id of another job that already retries some of the recipients. */
function otherRetryOf(check: RetryCheckDto | undefined): string | undefined {
  return check?.warnings.map((warning) => /^already_retried: job (\S+)/.exec(warning)?.[1]).find(Boolean);
}

/** The default scope: the first that has recipients. */
function defaultScope(job: BulkJobDetailDto): Scope {
  if (job.failed - job.unknown > 0) return 'failed';
  return job.undelivered > 0 ? 'undelivered' : job.unknown > 0 ? 'unknown' : 'failed';
}
