import { useState } from 'react';
import type { GroupDto } from '../../../client/generated/types.gen';
import { jobChoice, useRecentJobs } from '../../app/recent-jobs';
import { useSession } from '../../app/session';
import { validRecipients } from '../../app/valid-recipients';
import { t } from '../../language/translate';
import { Combobox } from '../../ui/combobox';
import { MultiCombobox } from '../../ui/multi-combobox';

/** Who gets a message to groups. */
export interface Audience {
  groupIds: readonly string[];
  excludeGroupIds: readonly string[];
  /** Empty: no job. */
  notReachedBy: string;
}

/** The request fields of the audience. */
export function audienceFields({ groupIds, excludeGroupIds, notReachedBy }: Audience) {
  return {
    groupIds: [...groupIds],
    ...(excludeGroupIds.length > 0 && { excludeGroupIds: [...excludeGroupIds] }),
    ...(notReachedBy && { notReachedBy }),
  };
}

/** The groups that get a message, and who of them is left out. */
export function AudienceFields({
  groups,
  audience,
  onChange,
}: {
  groups: readonly GroupDto[];
  audience: Audience;
  onChange: (changed: Partial<Audience>) => void;
}) {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const { groupIds, excludeGroupIds, notReachedBy } = audience;
  const choices = groups.map(({ id, name, contactCount }) => ({
    value: id,
    label: t('{name} ({count, plural, one {# contact} other {# contacts}})', { name, count: contactCount }),
  }));
  return (
    <>
      <MultiCombobox
        label={t('Groups')}
        placeholder={t('Group name')}
        hint={t('A person in several groups gets one message.')}
        values={groupIds}
        choices={choices}
        onChange={(next) => onChange({ groupIds: next })}
      />
      <details className="send-others" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('Leave people out')}</summary>
        {isOpen && (
          <div className="stack">
            <MultiCombobox
              label={t('Leave out members of')}
              placeholder={t('Group name')}
              values={excludeGroupIds}
              choices={choices}
              onChange={(next) => onChange({ excludeGroupIds: next })}
            />
            {session.can('jobs:read') && (
              <EarlierJob jobId={notReachedBy} onChange={(next) => onChange({ notReachedBy: next })} />
            )}
          </div>
        )}
      </details>
    </>
  );
}

function EarlierJob({ jobId, onChange }: { jobId: string; onChange: (jobId: string) => void }) {
  const jobs = useRecentJobs();
  return (
    <Combobox
      label={t('Leave out people reached by the job')}
      placeholder={t('Job name or template')}
      hint={t('Also those still waiting in it, and those reached by its retries.')}
      value={jobId === '' ? null : jobId}
      choices={jobs.map((job) => {
        const { value, label } = jobChoice(job);
        return {
          value,
          label: t('{job}, {count, plural, one {# person} other {# people}}', {
            job: label,
            count: validRecipients(job),
          }),
        };
      })}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
