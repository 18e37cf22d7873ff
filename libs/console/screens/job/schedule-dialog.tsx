import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { Input } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { fieldTime } from '../../ui/format';
import { Switch } from '../../ui/switch';
import { showToast } from '../../ui/toast';
import { changeBulkJob } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto, SendWindowDto } from '../../../client/generated/types.gen';
import { DEFAULT_WINDOW, TIME_ZONE_HINT } from '../send/send-options';
import { WindowFields } from '../send/window-fields';

/** The dialog to change a job's start time and sending hours. */
export function ScheduleDialog({ job, onClose }: { job: BulkJobDetailDto; onClose: () => void }) {
  const queries = useQueryClient();
  const [start, setStart] = useState(job.scheduledAt ? fieldTime(new Date(job.scheduledAt)) : '');
  const [window, setWindow] = useState<SendWindowDto | null>(job.sendWindow);
  const change = useMutation({
    mutationFn: () =>
      call(changeBulkJob, {
        path: { jobId: job.jobId },
        body: { scheduledAt: start ? new Date(start).toISOString() : null, sendWindow: window },
      }),
    onSuccess: (changed) => {
      queries.setQueryData(queryKeys.job.one(job.jobId), changed);
      showToast('Schedule saved');
      onClose();
    },
  });
  return (
    <FormDialog
      title="Schedule"
      cancel="Leave it"
      action="Save"
      disabled={window?.days?.length === 0}
      mutation={change}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <Input
        label="Starts at"
        type="datetime-local"
        value={start}
        onChange={setStart}
        hint={`${TIME_ZONE_HINT} Leave empty to start immediately, or when resumed.`}
      />
      <Switch
        label="Limit sending hours"
        hint="The job waits outside these hours."
        checked={window !== null}
        onChange={(on) => setWindow(on ? (job.sendWindow ?? DEFAULT_WINDOW) : null)}
      />
      {window && <WindowFields window={window} onChange={setWindow} />}
    </FormDialog>
  );
}
