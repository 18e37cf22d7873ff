import { useState } from 'react';
import type { ScreenProps } from '../../app/screen-props';
import { explanationOf, firstSentence, plainText } from '../../api/explanations';
import { hasOwnCause } from '../../app/columns/row-problem';
import { useSession } from '../../app/session';
import { useMessageTemplate } from '../../app/message-template';
import { whyNotSendable } from '../../app/not-sendable';
import { STATE_WORDS } from '../../app/states';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { rich, t } from '../../language/translate';
import { ServiceText } from '../../ui/error-words';
import { errorTitle, isSelfExplanatory } from '../../api/error-title';
import { count } from '../../ui/format';
import { Icon } from '../../ui/icon';
import { ButtonLink, Link } from '../../ui/link';
import { Panel } from '../../ui/panel';
import { Stat, Stats } from '../../ui/stat';
import { Empty, Loaded, Note } from '../../ui/states';
import { isOver } from '../../../client/job-events';
import { UNCONFIRMED } from '../../../client/job-figures';
import type { BulkJobDetailDto, JobFailureDto, RetryJobDto } from '../../../client/generated/types.gen';
import { groupOf, inGroups, isWorthRetrying } from './failure-groups';
import { JobFrame } from './job-frame';
import { againPath } from './job-message';
import { reportFormats, reportUrl } from './report-url';
import { Retries } from './retries';
import { RetryDialog } from './retry-dialog';
import { useFailures } from './use-failures';
import { UNKNOWN } from './job-counts';
import { notReached } from './job-outcome';
import { useJobCounts } from './use-job-counts';

const RETRY_ALL = t('Retry all');
const RETRY_THESE = t('Retry these');

/** Remedies that depend on where the recipients are from. */
const REMEDIES: Readonly<Partial<Record<string, Record<BulkJobDetailDto['kind'], string>>>> = {
  parameter_missing: {
    Import: t('Fill in the empty cells of these rows.'),
    Group: t('Add the value to these contacts, or send with a text for those who have none.'),
  },
};

type ErrorCodes = NonNullable<RetryJobDto['errorCodes']>;

/** Why people were not reached, beside failures; only shown if there are any. */
const OTHERS = [
  { key: 'invalid', label: t('Invalid'), hint: t('Never sent') },
  { key: 'optedOut', label: STATE_WORDS.Skipped, hint: t('They asked for no messages') },
  { key: 'unconfirmed', label: STATE_WORDS.Unknown, hint: t('May have arrived') },
  { key: 'notSent', label: t('Not sent'), hint: t('The job ended first') },
] as const;

/** Who was not reached by a job, by reason, with retries. */
export default function FailuresScreen({ params }: ScreenProps) {
  return <JobFrame jobId={params.jobId!}>{(job) => <Failures job={job} />}</JobFrame>;
}

function Failures({ job }: { job: BulkJobDetailDto }) {
  const session = useSession();
  const [retrying, setRetrying] = useState<{ title: string; errorCodes: ErrorCodes } | null>(null);
  const failures = useFailures(job);
  const counts = useJobCounts(job);
  const canRetry = session.can('jobs:manage') && job.allowedActions.includes('retry');
  return (
    <Loaded query={failures}>
      {({ items }) => {
        const retryable = items.filter(isWorthRetrying);
        if (items.length === 0) {
          return (
            <Empty
              icon="check"
              title={t('No failures')}
              hint={job.pending > 0 ? t('The job is still running.') : t('Every message was sent.')}
            />
          );
        }
        return (
          <>
            <Stats>
              <Stat
                label={STATE_WORDS.Failed}
                value={counts.unsorted > 0 ? UNKNOWN : count(counts.failed)}
                hint={t('Rejected by WhatsApp, or not sent in time')}
              />
              <Stat
                label={STATE_WORDS.Undelivered}
                value={count(job.undelivered)}
                hint={t('Accepted by WhatsApp, later reported as not delivered')}
              />
              {OTHERS.map(
                ({ key, label, hint }) =>
                  counts[key] > 0 && <Stat key={key} label={label} value={count(counts[key])} hint={hint} />,
              )}
              <Stat
                label={t('Can be retried')}
                value={people(retryable)}
                hint={t('of {count, plural, one {# person} other {# people}}', { count: numberOf(items) })}
              />
            </Stats>
            {isOver(job) && <Retries job={job} />}
            {!canRetry && session.can('jobs:manage') && retryable.length > 0 && (
              <Note>{t('You can retry once the job has ended.')}</Note>
            )}
            {inGroups(items).map(({ group, title, lead, failures: some }) => (
              <Panel
                key={group}
                title={t('{title}: {people}', { title, people: people(some) })}
                actions={
                  canRetry &&
                  safeToRetry(some).length > 1 && (
                    <Button
                      icon="retry"
                      onClick={() => setRetrying({ title: RETRY_ALL, errorCodes: safeToRetry(some) })}
                    >
                      {RETRY_ALL}
                    </Button>
                  )
                }
              >
                {lead && <p className="lead">{lead}</p>}
                {group === 'correct' && <Correction job={job} failures={some} />}
                <ul className="failures" data-group={group}>
                  {some.map((item) => (
                    <Failure
                      key={item.errorCode}
                      item={item}
                      all={notReached(job)}
                      job={job}
                      onRetry={
                        canRetry && isWorthRetrying(item)
                          ? () => setRetrying({ title: RETRY_THESE, errorCodes: [item.errorCode] })
                          : undefined
                      }
                    />
                  ))}
                </ul>
              </Panel>
            ))}
            {retrying && <RetryDialog job={job} {...retrying} onClose={() => setRetrying(null)} />}
          </>
        );
      }}
    </Loaded>
  );
}

/** All rows to correct in one file, and the form to send to them again. */
function Correction({ job, failures }: { job: BulkJobDetailDto; failures: readonly JobFailureDto[] }) {
  const session = useSession();
  const template = useMessageTemplate(job);
  const canSend = isOver(job) && session.can('messaging:send') && template && whyNotSendable(template) === null;
  const errorCode = failures.map((failure) => failure.errorCode).join();
  return (
    <div className="row">
      <a className="button" href={reportUrl(job.jobId, reportFormats(job)[0], { errorCode })} download>
        <Icon name="download" />
        {t('Save {people} in one file', { people: people(failures) })}
      </a>
      {canSend && (
        <ButtonLink to={againPath(job, template.id, 'rest')} icon="send">
          {t('Correct and send again')}
        </ButtonLink>
      )}
    </div>
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
  const group = groupOf(errorCode);
  const isFinal = (group === 'later' || group === 'account') && !isWorthRetrying(item);
  const explanation = explanationOf(errorCode);
  const remedy = REMEDIES[errorCode]?.[job.kind] ?? (explanation && plainText(explanation.remedy));
  const whole = Math.max(all, 1);
  // Of a group send only the message names the field.
  const lacksContactField = job.kind === 'Group' && errorCode === 'parameter_missing';
  return (
    <li>
      <div className="failure-head">
        <h3>
          {errorTitle(errorCode)} {isFinal && <Badge tone="plain">{t('Final')}</Badge>}
        </h3>
        <strong className="failure-count">{count(failed + undelivered)}</strong>
      </div>
      <div className="reasons-bar" aria-hidden="true">
        <span style={{ width: `${((failed + undelivered) / whole) * 100}%` }} />
      </div>
      {!isSelfExplanatory(errorCode) && (
        <p>{explanation ? firstSentence(explanation.when) : <ServiceText text={item.message} />}</p>
      )}
      {remedy && (
        <p>
          {group === 'nothing'
            ? remedy
            : rich('<b>How to fix it:</b> {remedy}', { b: (text) => <strong>{text}</strong>, remedy })}
        </p>
      )}
      {(hasOwnCause(errorCode) || lacksContactField) && (
        <p className="hint">{rich('Example: “{message}”', { message: <ServiceText text={item.message} /> })}</p>
      )}
      <p className="hint">
        {[
          failedText(item),
          undelivered > 0 && t('{count, number} not delivered', { count: undelivered }),
          item.platformCode !== null && t('WhatsApp code {code}', { code: String(item.platformCode) }),
          // Contacts have no rows.
          job.kind === 'Import' &&
            t('{count, plural, one {row {rows}} other {rows {rows}}}', {
              count: failed + undelivered,
              rows: `${item.firstRows.join(', ')}${failed + undelivered > item.firstRows.length ? ', …' : ''}`,
            }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <div className="row">
        {onRetry && (
          <Button small icon="retry" onClick={onRetry}>
            {RETRY_THESE}
          </Button>
        )}
        <Link to={`/jobs/${job.jobId}/recipients?errorCode=${errorCode}`}>{t('Show recipients')}</Link>
        <a className="link" href={reportUrl(job.jobId, reportFormats(job)[0], { errorCode })} download>
          {t('Download')}
        </a>
      </div>
    </li>
  );
}

/** The codes that are safe to retry together; messages with unknown outcome may be sent twice, so they are retried separately. */
function safeToRetry(items: readonly JobFailureDto[]): ErrorCodes {
  return items.flatMap((item) => (isWorthRetrying(item) && item.errorCode !== UNCONFIRMED ? [item.errorCode] : []));
}

/** The part of the recipients with this code that the platform never accepted, where others were not delivered. */
function failedText({ failed, undelivered }: JobFailureDto): string | false {
  return failed > 0 && undelivered > 0 && t('{count, number} failed', { count: failed });
}

function people(items: readonly JobFailureDto[]): string {
  return t('{count, plural, one {# person} other {# people}}', { count: numberOf(items) });
}

function numberOf(items: readonly JobFailureDto[]): number {
  return sumOf(items, 'failed') + sumOf(items, 'undelivered');
}

function sumOf(items: readonly JobFailureDto[], key: 'failed' | 'undelivered'): number {
  return items.reduce((sum, item) => sum + item[key], 0);
}
