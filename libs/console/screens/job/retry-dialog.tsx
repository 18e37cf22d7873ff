import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { JOB_NAME_LENGTH, jobTitle } from '../../app/job-title';
import { useSendOnce } from '../../app/send-once';
import { STATE_WORDS } from '../../app/states';
import { validRecipients } from '../../app/valid-recipients';
import { Input } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { errorTitle } from '../../api/error-title';
import { rich, t } from '../../language/translate';
import { count } from '../../ui/format';
import { Select } from '../../ui/select';
import { Switch } from '../../ui/switch';
import { Loaded, Loading, Note } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { useSenderChoice } from '../send/sender-choice';
import { retryBulkJob } from '../../../client/generated/sdk.gen';
import { UNCONFIRMED } from '../../../client/job-figures';
import { type FailureGroup, groupOf, worthwhileCodes } from './failure-groups';
import { JobLink } from './job-link';
import { retryName } from './retry-name';
import { defaultScope, type RetryScope } from './retry-scope';
import type {
  BulkJobDetailDto,
  CreatedRetryDto,
  JobFailureDto,
  RetryCheckDto,
  RetryJobDto,
} from '../../../client/generated/types.gen';

const NONE: readonly never[] = [];

const SCOPES: readonly { value: RetryScope; label: string }[] = [
  { value: 'failed', label: t('Failed or cancelled') },
  { value: 'undelivered', label: STATE_WORDS.Undelivered },
  { value: 'unknown', label: STATE_WORDS.Unknown },
  { value: 'all', label: t('All', {}, 'recipients') },
];

/**
 * The dialog to retry recipients; shows the exact count first. `errorCodes`: only recipients with one of these errors. Otherwise those of
 * `failures` that are worth it come first, and the others on request.
 */
export function RetryDialog({
  job,
  errorCodes,
  failures = NONE,
  title,
  onClose,
}: {
  job: BulkJobDetailDto;
  errorCodes?: NonNullable<RetryJobDto['errorCodes']>;
  failures?: readonly JobFailureDto[];
  /** The words of the button that opens it. */
  title: string;
  onClose: () => void;
}) {
  const [, navigate] = useLocation();
  const [name, setName] = useState(() => retryName(job));
  const queries = useQueryClient();
  const [scope, setScope] = useState<RetryScope>(errorCodes ? 'all' : defaultScope(failures));
  const { senderId, field: senderField } = useSenderChoice(null, job.senderId);
  const [isAgain, setAgain] = useState(false);
  const [isHopelessToo, setHopelessToo] = useState(false);
  const worthwhile = worthwhileCodes(failures);
  const only = errorCodes ?? (isHopelessToo ? null : worthwhile);
  const body = {
    scope,
    skipRetried: !isAgain,
    ...(only && { errorCodes: only }),
    ...(senderId !== undefined && { senderId }),
  };
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
  const leftOut = check.data?.leftOut ?? 0;
  const otherRetry = otherRetryOf(check.data);
  const isHopeless = check.data && numberIn('correct', check.data) + numberIn('nothing', check.data) >= reached;
  const retried = useMutation({
    mutationFn: send,
    onSuccess: (created) => {
      void queries.invalidateQueries({ queryKey: queryKeys.jobs.all });
      showToast(
        t('A new job sends to {count, plural, one {# recipient} other {# recipients}}', {
          count: validRecipients(created),
        }),
      );
      navigate(`/jobs/${created.jobId}`);
      onClose();
    },
  });
  const mayDuplicate = errorCodes ? errorCodes.includes(UNCONFIRMED) : scope === 'unknown' || scope === 'all';
  return (
    <FormDialog
      title={title}
      lead={t('A new job sends {job} again with the same values. This job is not changed.', { job: jobTitle(job) })}
      cancel={t('Cancel')}
      action={
        reached === 0
          ? t('Retry')
          : otherRetry || isHopeless
            ? t('Retry {count, plural, one {# message} other {# messages}} anyway', { count: reached })
            : t('Retry {count, plural, one {# message} other {# messages}}', { count: reached })
      }
      icon="retry"
      danger={otherRetry !== undefined}
      disabled={reached === 0 || check.isFetching || name.trim() === ''}
      mutation={retried}
      onSubmit={() => retried.mutate({ ...body, name: name.trim() })}
      onClose={onClose}
    >
      {!errorCodes && <Select label={t('Recipients')} value={scope} choices={SCOPES} onChange={setScope} />}
      {worthwhile && (
        <Switch
          label={t('Also retry those that will probably fail again')}
          checked={isHopelessToo}
          onChange={setHopelessToo}
        />
      )}
      {senderField}
      <Input label={t('Name of the new job')} value={name} maxLength={JOB_NAME_LENGTH} dir="auto" onChange={setName} />
      <Loaded query={check} loading={<Loading rows={2} label={t('Counting')} />}>
        {(found) => <CheckResult check={found} />}
      </Loaded>
      {(leftOut > 0 || isAgain) && (
        <Switch
          label={t('Also send to people whom an earlier retry reached, or may still reach')}
          hint={
            isAgain
              ? undefined
              : t('{count, plural, one {# recipient is} other {# recipients are}} left out.', { count: leftOut })
          }
          checked={isAgain}
          onChange={setAgain}
        />
      )}
      {otherRetry && <AlreadyRetried by={otherRetry} />}
      {mayDuplicate && job.unknown > 0 && (
        <Note tone="warning">
          {t('Recipients with an unknown outcome may already have the message and could receive it twice.')}
        </Note>
      )}
    </FormDialog>
  );
}

/** Warns that a second retry reaches those again who got the message from the first. */
function AlreadyRetried({ by }: { by: string }) {
  return (
    <Note tone="danger">
      {rich('{job} already retries some of these recipients. They may receive the message twice.', {
        job: <JobLink jobId={by} />,
      })}
    </Note>
  );
}

/** The recipients to be retried whose failure is in the group. */
function numberIn(group: FailureGroup, { byErrorCode }: RetryCheckDto): number {
  return byErrorCode.reduce((sum, { errorCode, count: some }) => sum + (groupOf(errorCode) === group ? some : 0), 0);
}

function CheckResult({ check }: { check: RetryCheckDto }) {
  const incorrect = numberIn('correct', check);
  const unwilling = numberIn('nothing', check);
  return (
    <div className="stack">
      <p>
        {rich(
          check.recipients === 0
            ? '<b>{count, plural, one {# recipient} other {# recipients}}</b> can be retried.'
            : '<b>{count, plural, one {# recipient} other {# recipients}}</b> will be retried.',
          { count: check.recipients, b: (text) => <strong>{text}</strong> },
        )}
      </p>
      {check.byErrorCode.length > 0 && <Reasons label={t('By reason')} items={check.byErrorCode} />}
      {incorrect > 0 && (
        <Note tone="warning">
          {t(
            '{count, plural, one {# recipient has} other {# recipients have}} to be corrected first: the same message to the same number will probably fail again.',
            { count: incorrect },
          )}
        </Note>
      )}
      {unwilling > 0 && (
        <Note tone="warning">
          {t(
            '{count, plural, one {# recipient does} other {# recipients do}} not want the message, or cannot get it: it will probably fail again.',
            { count: unwilling },
          )}
        </Note>
      )}
      {check.unreachable.length > 0 && <Reasons label={t('Cannot be retried')} items={check.unreachable} />}
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
            <span>{errorTitle(item.errorCode)}</span>
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
