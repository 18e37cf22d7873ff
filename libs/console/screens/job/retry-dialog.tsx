import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/call';
import { useSendOnce } from '../../app/send-once';
import { FormDialog } from '../../ui/form-dialog';
import { count, counted, words } from '../../ui/format';
import { Select } from '../../ui/select';
import { Loaded, Loading, Note } from '../../ui/states';
import { sayDone } from '../../ui/toast';
import { retryBulkJob } from '../../../client/generated/sdk.gen';
import type {
  BulkJobDetailDto,
  CreatedRetryDto,
  RetryCheckDto,
  RetryJobDto,
} from '../../../client/generated/types.gen';

type Scope = NonNullable<RetryJobDto['scope']>;

const SCOPES: readonly { value: Scope; label: string }[] = [
  { value: 'failed', label: 'Those who failed or were cancelled' },
  { value: 'undelivered', label: 'Those whose message was not delivered' },
  { value: 'unknown', label: 'Those whose outcome is unknown' },
  { value: 'all', label: 'All of these' },
];

/** Shows whom a retry would reach, and sends to exactly these. `errorCodes`: only those with one of these reasons. */
export function RetryDialog({
  job,
  errorCodes,
  onClose,
}: {
  job: BulkJobDetailDto;
  errorCodes?: NonNullable<RetryJobDto['errorCodes']>;
  onClose: () => void;
}) {
  const [, goTo] = useLocation();
  const queries = useQueryClient();
  const [scope, setScope] = useState<Scope>(errorCodes ? 'all' : firstScope(job));
  const body = { scope, ...(errorCodes && { errorCodes }) };
  const path = { jobId: job.jobId };
  const check = useQuery({
    queryKey: ['job', job.jobId, 'retry-check', body],
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
  const retried = useMutation({
    mutationFn: send,
    onSuccess: (created) => {
      void queries.invalidateQueries({ queryKey: ['jobs'] });
      sayDone(`A new job sends to ${counted(created.totalRecipients, 'recipient')}`);
      goTo(`/jobs/${created.jobId}`);
      onClose();
    },
  });
  const mayRepeat = errorCodes ? errorCodes.includes('outcome_unknown') : scope === 'unknown' || scope === 'all';
  return (
    <FormDialog
      title="Send to them again"
      lead="A new job sends the same template with the same values. This job stays as it is."
      cancel="Not now"
      action={reached > 0 ? `Retry ${count(reached)}` : 'Retry'}
      icon="retry"
      disabled={reached === 0 || check.isFetching}
      work={retried}
      onSubmit={() => retried.mutate(body)}
      onClose={onClose}
    >
      {!errorCodes && <Select label="To whom" value={scope} choices={SCOPES} onChange={setScope} />}
      <Loaded query={check} loading={<Loading rows={2} label="Counting" />}>
        {(found) => <Reached check={found} />}
      </Loaded>
      {mayRepeat && job.unknown > 0 && (
        <Note tone="warning">Some whose outcome is unknown may have got the message: they would get it twice.</Note>
      )}
    </FormDialog>
  );
}

function Reached({ check }: { check: RetryCheckDto }) {
  return (
    <div className="stack">
      <p>
        <strong>{counted(check.recipients, 'recipient')}</strong>{' '}
        {check.recipients === 0 ? 'can be reached this way.' : 'will be sent to.'}
      </p>
      {check.byErrorCode.length > 0 && <Reasons label="By reason" items={check.byErrorCode} />}
      {check.unreachable.length > 0 && <Reasons label="No retry can reach" items={check.unreachable} />}
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
            <span>{words(item.errorCode)}</span>
            <span>{count(item.count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What is asked first: whatever there is of it. */
function firstScope(job: BulkJobDetailDto): Scope {
  if (job.failed - job.unknown > 0) return 'failed';
  return job.undelivered > 0 ? 'undelivered' : job.unknown > 0 ? 'unknown' : 'failed';
}
