import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call';
import { useSession } from '../../app/session';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/form-dialog';
import { count, counted } from '../../ui/format';
import { Menu, type MenuAction } from '../../ui/menu';
import { ErrorLine } from '../../ui/states';
import { sayDone } from '../../ui/toast';
import { cancelBulkJob, pauseBulkJob, resumeBulkJob } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import { reportAddress } from './report-address';
import { RetryDialog } from './retry-dialog';
import { ScheduleDialog } from './schedule-dialog';

const CONTROLS = {
  pause: { call: pauseBulkJob, done: 'The job is paused' },
  resume: { call: resumeBulkJob, done: 'The job goes on' },
  cancel: { call: cancelBulkJob, done: 'The job is cancelled' },
} as const;

type Control = keyof typeof CONTROLS;
type Opened = 'cancel' | 'retry' | 'schedule' | null;

/** What can be done with the job now, and by this key. */
export function JobActions({ job }: { job: BulkJobDetailDto }) {
  const session = useSession();
  const queries = useQueryClient();
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const control = useMutation({
    mutationFn: (action: Control) => call(CONTROLS[action].call, { path: { jobId: job.jobId } }),
    onSuccess: (changed, action) => {
      queries.setQueryData(['job', job.jobId], changed);
      void queries.invalidateQueries({ queryKey: ['jobs'] });
      sayDone(CONTROLS[action].done);
      close();
    },
  });
  const mayManage = session.can('jobs:manage');
  const may = (action: Control | 'retry') => mayManage && job.allowedActions.includes(action);
  const isHeld = job.pauseReason?.code === 'held';
  const mayChange = mayManage && (job.status === 'Scheduled' || job.status === 'Paused');
  const others: MenuAction[] = [
    ...(mayChange
      ? [{ label: 'Change when it sends', icon: 'clock' as const, onSelect: () => setOpened('schedule') }]
      : []),
    { label: 'Report as CSV', icon: 'download', onSelect: () => location.assign(reportAddress(job.jobId, 'csv')) },
    { label: 'Report for Excel', icon: 'download', onSelect: () => location.assign(reportAddress(job.jobId, 'xlsx')) },
    ...(may('cancel')
      ? [{ label: 'Cancel the job', icon: 'stop' as const, danger: true, onSelect: () => setOpened('cancel') }]
      : []),
  ];
  return (
    <>
      <Menu label="More" actions={others} />
      {may('pause') && (
        <Button icon="pause" busy={control.isPending} onClick={() => control.mutate('pause')}>
          Pause
        </Button>
      )}
      {may('resume') && (
        <Button
          variant="primary"
          icon={isHeld ? 'send' : 'play'}
          busy={control.isPending}
          onClick={() => control.mutate('resume')}
        >
          {isHeld ? `Send to ${count(job.pending)}` : 'Resume'}
        </Button>
      )}
      {may('retry') && (
        <Button variant="primary" icon="retry" onClick={() => setOpened('retry')}>
          Retry
        </Button>
      )}
      {control.isError && opened !== 'cancel' && <ErrorLine error={control.error} />}
      <FormDialog
        open={opened === 'cancel'}
        title="Cancel this job?"
        lead={`${counted(job.pending, 'recipient')} not sent to yet will get nothing. This cannot be undone; a retry can reach them later.`}
        danger
        cancel="Keep it"
        action="Cancel the job"
        work={control}
        onSubmit={() => control.mutate('cancel')}
        onClose={close}
      />
      {opened === 'retry' && <RetryDialog job={job} onClose={close} />}
      {opened === 'schedule' && <ScheduleDialog job={job} onClose={close} />}
    </>
  );
}
