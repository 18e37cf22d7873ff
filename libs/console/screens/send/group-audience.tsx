import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listBulkJobs } from '../../../client/generated/sdk.gen';
import type { GroupDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { Combobox } from '../../ui/combobox';
import { counted, exactTime } from '../../ui/format';
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
    label: `${name} (${counted(contactCount, 'contact')})`,
  }));
  return (
    <>
      <MultiCombobox
        label="Groups"
        placeholder="Group name"
        hint="A person in several groups gets one message."
        values={groupIds}
        choices={choices}
        onChange={(next) => onChange({ groupIds: next })}
      />
      <details className="send-others" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Leave people out</summary>
        {isOpen && (
          <div className="stack">
            <MultiCombobox
              label="Leave out members of"
              placeholder="Group name"
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
  const jobs = useQuery({
    queryKey: queryKeys.jobs.choice,
    queryFn: ({ signal }) => call(listBulkJobs, { query: { pageSize: 100 } }, { signal }),
  });
  return (
    <Combobox
      label="Leave out people reached by the job"
      placeholder="Job name or template"
      hint="Also those still waiting in it, and those reached by its retries."
      value={jobId === '' ? null : jobId}
      choices={(jobs.data?.items ?? []).map((job) => ({
        value: job.jobId,
        label: `${job.name ?? job.reference ?? job.templateName}, ${exactTime(new Date(job.createdAt))}, ${counted(job.totalRecipients, 'person', 'people')}`,
      }))}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
