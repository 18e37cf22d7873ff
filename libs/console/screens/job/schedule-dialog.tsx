import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Input } from '../../ui/field';
import { ErrorLine } from '../../ui/states';
import { Switch } from '../../ui/switch';
import { sayDone } from '../../ui/toast';
import { changeBulkJob } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto, SendWindowDto } from '../../../client/generated/types.gen';
import { WEEKDAYS } from './weekdays';

const ALL_DAYS = WEEKDAYS.map(({ day }) => day as number);
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const DAYTIME: SendWindowDto = { from: '09:00', until: '20:00', timeZone: OWN_ZONE, days: ALL_DAYS };

/** Changes when a job starts, and the hours in which it sends. */
export function ScheduleDialog({ job, onClose }: { job: BulkJobDetailDto; onClose: () => void }) {
  const queries = useQueryClient();
  const [start, setStart] = useState(job.scheduledAt ? localTime(new Date(job.scheduledAt)) : '');
  const [window, setWindow] = useState<SendWindowDto | null>(job.sendWindow);
  const change = useMutation({
    mutationFn: () =>
      call(changeBulkJob, {
        path: { jobId: job.jobId },
        body: { scheduledAt: start ? new Date(start).toISOString() : null, sendWindow: window },
      }),
    onSuccess: (changed) => {
      queries.setQueryData(['job', job.jobId], changed);
      sayDone('The job sends as you said');
      onClose();
    },
  });
  const set = (part: Partial<SendWindowDto>) => setWindow((before) => ({ ...(before ?? DAYTIME), ...part }));
  const days = window?.days ?? ALL_DAYS;
  return (
    <Dialog
      open
      onClose={onClose}
      title="When it sends"
      footer={
        <>
          <Button onClick={onClose}>Leave it</Button>
          <Button variant="primary" busy={change.isPending} onClick={() => change.mutate()}>
            Save
          </Button>
        </>
      }
    >
      <Input
        label="Starts at"
        type="datetime-local"
        value={start}
        onChange={setStart}
        hint={`By the clock of ${OWN_ZONE}. Empty: at once, or when it is resumed.`}
      />
      <Switch
        label="Only within certain hours"
        hint="Outside of them the job waits."
        checked={window !== null}
        onChange={(on) => setWindow(on ? (job.sendWindow ?? DAYTIME) : null)}
      />
      {window && (
        <div className="stack">
          <div className="columns job-hours">
            <Input label="From" type="time" value={window.from} onChange={(from) => set({ from })} />
            <Input
              label="Until"
              type="time"
              value={window.until === '24:00' ? '00:00' : window.until}
              onChange={(until) => set({ until: until === '00:00' ? '24:00' : until })}
            />
          </div>
          <Input
            label="Time zone"
            value={window.timeZone}
            onChange={(timeZone) => set({ timeZone })}
            spellCheck={false}
          />
          <fieldset className="job-days">
            <legend className="field-label">On</legend>
            {WEEKDAYS.map(({ day, short }) => (
              <label key={day}>
                <input
                  type="checkbox"
                  checked={days.includes(day)}
                  onChange={({ target }) =>
                    set({ days: ALL_DAYS.filter((one) => (one === day ? target.checked : days.includes(one))) })
                  }
                />
                {short}
              </label>
            ))}
          </fieldset>
        </div>
      )}
      {change.isError && <ErrorLine error={change.error} />}
    </Dialog>
  );
}

/** A moment as a field of date and time has it, by the clock of this browser. */
function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
