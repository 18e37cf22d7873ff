import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call';
import { Input } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { fieldTime } from '../../ui/format';
import { Switch } from '../../ui/switch';
import { sayDone } from '../../ui/toast';
import { changeBulkJob } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto, SendWindowDto } from '../../../client/generated/types.gen';
import { FIRST_WINDOW, OWN_CLOCK } from '../send/send-options';
import { WindowFields } from '../send/window-fields';

/** Changes when a job starts, and the hours in which it sends. */
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
      queries.setQueryData(['job', job.jobId], changed);
      sayDone('The times of the job are saved');
      onClose();
    },
  });
  return (
    <FormDialog
      title="When it sends"
      cancel="Leave it"
      action="Save"
      disabled={window?.days?.length === 0}
      work={change}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <Input
        label="Starts at"
        type="datetime-local"
        value={start}
        onChange={setStart}
        hint={`${OWN_CLOCK} Empty: at once, or when it is resumed.`}
      />
      <Switch
        label="Only within certain hours"
        hint="Outside of them the job waits."
        checked={window !== null}
        onChange={(on) => setWindow(on ? (job.sendWindow ?? FIRST_WINDOW) : null)}
      />
      {window && <WindowFields window={window} onChange={setWindow} />}
    </FormDialog>
  );
}
