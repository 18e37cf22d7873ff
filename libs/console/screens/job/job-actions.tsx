import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/form-dialog';
import { count, counted } from '../../ui/format';
import { Menu, type MenuAction } from '../../ui/menu';
import { ErrorLine } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { cancelBulkJob, pauseBulkJob, resumeBulkJob } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import { reportUrl } from './report-url';
import { RetryDialog } from './retry-dialog';
import { ScheduleDialog } from './schedule-dialog';

const CONTROLS = {
  pause: { call: pauseBulkJob, done: 'Job paused' },
  resume: { call: resumeBulkJob, done: 'Job resumed' },
  cancel: { call: cancelBulkJob, done: 'Job cancelled' },
} as const;

type Control = keyof typeof CONTROLS;
type OpenDialog = 'cancel' | 'retry' | 'schedule' | null;

/** The actions that the job's status and the key's scopes allow. */
export function JobActions({ job }: { job: BulkJobDetailDto }) {
  const session = useSession();
  const queries = useQueryClient();
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const close = () => setOpenDialog(null);
  const control = useMutation({
    mutationFn: (action: Control) => call(CONTROLS[action].call, { path: { jobId: job.jobId } }),
    onSuccess: (changed, action) => {
      queries.setQueryData(queryKeys.job.one(job.jobId), changed);
      void queries.invalidateQueries({ queryKey: queryKeys.jobs.all });
      showToast(CONTROLS[action].done);
      close();
    },
  });
  const canManage = session.can('jobs:manage');
  const isAllowed = (action: Control | 'retry') => canManage && job.allowedActions.includes(action);
  const isHeld = job.pauseReason?.code === 'held';
  const canChange = canManage && (job.status === 'Scheduled' || job.status === 'Paused');
  const menuItems: MenuAction[] = [
    ...(canChange
      ? [{ label: 'Change schedule', icon: 'clock' as const, onSelect: () => setOpenDialog('schedule') }]
      : []),
    { label: 'Report as CSV', icon: 'download', onSelect: () => location.assign(reportUrl(job.jobId, 'csv')) },
    { label: 'Report as Excel', icon: 'download', onSelect: () => location.assign(reportUrl(job.jobId, 'xlsx')) },
    ...(isAllowed('cancel')
      ? [{ label: 'Cancel job', icon: 'stop' as const, danger: true, onSelect: () => setOpenDialog('cancel') }]
      : []),
  ];
  return (
    <>
      <Menu label="More" actions={menuItems} />
      {isAllowed('pause') && (
        <Button icon="pause" busy={control.isPending} onClick={() => control.mutate('pause')}>
          Pause
        </Button>
      )}
      {isAllowed('resume') && (
        <Button
          variant="primary"
          icon={isHeld ? 'send' : 'play'}
          busy={control.isPending}
          onClick={() => control.mutate('resume')}
        >
          {isHeld ? `Send to ${count(job.pending)}` : 'Resume'}
        </Button>
      )}
      {isAllowed('retry') && (
        <Button variant="primary" icon="retry" onClick={() => setOpenDialog('retry')}>
          Retry
        </Button>
      )}
      {control.isError && openDialog !== 'cancel' && <ErrorLine error={control.error} />}
      <FormDialog
        open={openDialog === 'cancel'}
        title="Cancel this job?"
        lead={`${counted(job.pending, 'recipient')} will not receive the message. You cannot undo this, but you can retry them later.`}
        danger
        cancel="Keep job"
        action="Cancel job"
        mutation={control}
        onSubmit={() => control.mutate('cancel')}
        onClose={close}
      />
      {openDialog === 'retry' && <RetryDialog job={job} onClose={close} />}
      {openDialog === 'schedule' && <ScheduleDialog job={job} onClose={close} />}
    </>
  );
}
