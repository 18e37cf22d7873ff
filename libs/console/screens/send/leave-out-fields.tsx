import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { listGroups } from '../../../client/generated/sdk.gen';
import type { GroupDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { jobChoice, useRecentJobs } from '../../app/recent-jobs';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { validRecipients } from '../../app/valid-recipients';
import { t } from '../../language/translate';
import { MultiCombobox } from '../../ui/multi-combobox';

/** Whom a send leaves out. */
export interface LeftOut {
  excludeGroupIds: readonly string[];
  /** Jobs. */
  notReachedBy: readonly string[];
}

export const NOBODY_LEFT_OUT: LeftOut = { excludeGroupIds: [], notReachedBy: [] };

/** As many jobs as a send can name. */
const MOST_JOBS = 10;

export function leavesOutNobody({ excludeGroupIds, notReachedBy }: LeftOut): boolean {
  return excludeGroupIds.length === 0 && notReachedBy.length === 0;
}

/** The first contents of a form: with those whom the job in `without` of the URL reached left out. */
export function useWithLeftOut<T extends { leftOut: LeftOut }>(first: T): T {
  const [{ without }] = useUrlFilters({ without: '' });
  return without ? { ...first, leftOut: { ...first.leftOut, notReachedBy: [without] } } : first;
}

/** The request fields of the choice. */
export function leftOutFields({ excludeGroupIds, notReachedBy }: LeftOut) {
  return {
    ...(excludeGroupIds.length > 0 && { excludeGroupIds: [...excludeGroupIds] }),
    ...(notReachedBy.length > 0 && { notReachedBy: [...notReachedBy] }),
  };
}

/** The groups to choose from, each with its size. */
export function groupChoices(groups: readonly GroupDto[]) {
  return groups.map(({ id, name, contactCount }) => ({
    value: id,
    label: t('{name} ({count, plural, one {# contact} other {# contacts}})', { name, count: contactCount }),
  }));
}

/** All groups that a send may name. */
export function useGroups(enabled: boolean) {
  return useQuery({
    queryKey: queryKeys.groups.choice,
    queryFn: ({ signal }) => call(listGroups, { query: { pageSize: 100 } }, { signal }),
    enabled,
  });
}

/** Who of the recipients gets no message. */
export function LeaveOutFields({
  leftOut,
  takesFocus = false,
  onChange,
}: {
  leftOut: LeftOut;
  /** Shows a choice that was made elsewhere, by a button that is gone. */
  takesFocus?: boolean;
  onChange: (changed: Partial<LeftOut>) => void;
}) {
  const session = useSession();
  const [isOpen, setOpen] = useState(!leavesOutNobody(leftOut));
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) summary.current?.focus();
  }, [takesFocus]);
  const canReadGroups = session.can('groups:read');
  const groups = useGroups(isOpen && canReadGroups);
  const canReadJobs = session.can('jobs:read');
  const { excludeGroupIds, notReachedBy } = leftOut;
  if (!canReadGroups && !canReadJobs) return null;
  return (
    <details className="send-others" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary ref={summary}>{t('Leave people out')}</summary>
      {isOpen && (
        <div className="stack">
          {canReadGroups && (
            <MultiCombobox
              label={t('Leave out members of')}
              placeholder={t('Group name')}
              values={excludeGroupIds}
              choices={groupChoices(groups.data?.items ?? [])}
              onChange={(next) => onChange({ excludeGroupIds: next })}
            />
          )}
          {canReadJobs && <EarlierJobs jobIds={notReachedBy} onChange={(next) => onChange({ notReachedBy: next })} />}
        </div>
      )}
    </details>
  );
}

function EarlierJobs({ jobIds, onChange }: { jobIds: readonly string[]; onChange: (jobIds: string[]) => void }) {
  const jobs = useRecentJobs();
  const isFull = jobIds.length >= MOST_JOBS;
  return (
    <MultiCombobox
      label={t('Leave out people reached by the jobs')}
      placeholder={t('Job name or template')}
      hint={
        isFull
          ? t('At most {most, number} jobs.', { most: MOST_JOBS })
          : t('Also those still waiting in them, and those reached by their retries.')
      }
      values={jobIds}
      choices={jobs
        .filter(({ jobId }) => !isFull || jobIds.includes(jobId))
        .map((job) => {
          const { value, label } = jobChoice(job);
          return {
            value,
            label: t('{job}, {count, plural, one {# recipient} other {# recipients}}', {
              job: label,
              count: validRecipients(job),
            }),
          };
        })}
      onChange={onChange}
    />
  );
}
