import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { Input } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { t } from '../../language/translate';
import { fieldTime } from '../../ui/format';
import { useNow } from '../../ui/now';
import { Switch } from '../../ui/switch';
import { showToast } from '../../ui/toast';
import { changeBulkJob } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto, SendWindowDto } from '../../../client/generated/types.gen';
import { DEFAULT_WINDOW, problemOfStart, TIME_ZONE_HINT } from '../send/send-options';
import { WindowFields } from '../send/window-fields';

/** The dialog to change a job's start time and sending hours; `Send now` starts a job early. */
export function ScheduleDialog({ job, onClose }: { job: BulkJobDetailDto; onClose: () => void }) {
  const queries = useQueryClient();
  const now = useNow();
  const mustStart = job.status === 'Scheduled';
  const first = job.scheduledAt ? fieldTime(new Date(job.scheduledAt)) : '';
  const [hasStart, setHasStart] = useState(mustStart || isAhead(job));
  const [start, setStart] = useState(first);
  const [window, setWindow] = useState<SendWindowDto | null>(job.sendWindow);
  const startOf = () => (hasStart ? new Date(start).toISOString() : null);
  const change = useMutation({
    mutationFn: () =>
      call(changeBulkJob, {
        path: { jobId: job.jobId },
        body: { ...(hasStart || isAhead(job) ? { scheduledAt: startOf() } : {}), sendWindow: window },
      }),
    onSuccess: (changed) => {
      queries.setQueryData(queryKeys.job.one(job.jobId), changed);
      showToast(t('Schedule saved'));
      onClose();
    },
  });
  const problem = hasStart ? problemOfStart(start, now) : null;
  return (
    <FormDialog
      title={t('Schedule')}
      cancel={t('Leave it')}
      action={t('Save')}
      disabled={problem !== null || window?.days?.length === 0}
      mutation={change}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      {!mustStart && (
        <Switch
          label={t('Start later')}
          hint={
            job.pauseReason?.code === 'held'
              ? t('Off: it starts when you send it.')
              : t('Off: it starts when it is resumed.')
          }
          checked={hasStart}
          onChange={setHasStart}
        />
      )}
      {hasStart && (
        <Input
          label={t('Starts at')}
          type="datetime-local"
          value={start}
          onChange={setStart}
          error={problem ?? undefined}
          hint={
            mustStart
              ? t('{timeZone} To start immediately, use “Send now”.', { timeZone: TIME_ZONE_HINT })
              : TIME_ZONE_HINT
          }
        />
      )}
      <Switch
        label={t('Limit sending hours')}
        hint={t('The job waits outside these hours.')}
        checked={window !== null}
        onChange={(on) => setWindow(on ? (job.sendWindow ?? DEFAULT_WINDOW) : null)}
      />
      {window && <WindowFields window={window} onChange={setWindow} />}
    </FormDialog>
  );
}

/** Whether the scheduled start of the job is still to come. */
export function isAhead({ scheduledAt }: Pick<BulkJobDetailDto, 'scheduledAt'>): boolean {
  return scheduledAt !== null && Date.parse(scheduledAt) > Date.now();
}
