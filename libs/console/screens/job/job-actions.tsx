import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/form-dialog';
import { t } from '../../language/translate';
import { Menu, type MenuAction } from '../../ui/menu';
import { ErrorLine } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { cancelBulkJob, pauseBulkJob, resumeBulkJob } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import { isAwaitingConfirmation } from './job-outcome';
import { isEnding } from './job-reason';
import { reportFormats, reportUrl } from './report-url';
import { RetryButton } from './retry-button';
import { isAhead, ScheduleDialog } from './schedule-dialog';
import { SendNowDialog } from './send-now-dialog';

const CONTROLS = {
  pause: { call: pauseBulkJob, done: t('Job paused') },
  resume: { call: resumeBulkJob, done: t('Job resumed') },
  cancel: { call: cancelBulkJob, done: t('Job cancelled') },
} as const;

type Control = keyof typeof CONTROLS;
type OpenDialog = 'cancel' | 'schedule' | 'send' | null;

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
  const canSendNow = canManage && job.pending > 0 && (job.status === 'Scheduled' || isHeld);
  const canChange = canManage && (job.status === 'Scheduled' || job.status === 'Paused');
  const reports = reportFormats(job).map((format) => ({
    label: format === 'csv' ? t('CSV') : t('Excel'),
    icon: 'download' as const,
    onSelect: () => location.assign(reportUrl(job.jobId, format)),
  }));
  const others: MenuAction[] = [
    ...(canChange
      ? [{ label: t('Change schedule'), icon: 'clock' as const, onSelect: () => setOpenDialog('schedule') }]
      : []),
    ...(isAllowed('cancel')
      ? [{ label: t('Cancel job'), icon: 'stop' as const, danger: true, onSelect: () => setOpenDialog('cancel') }]
      : []),
  ];
  return (
    <>
      {others.length > 0 && <Menu label={t('More')} actions={others} />}
      <Menu label={t('Report')} icon="download" actions={reports} />
      {isAllowed('pause') && !isEnding(job) && !isAwaitingConfirmation(job) && (
        <Button icon="pause" busy={control.isPending} onClick={() => control.mutate('pause')}>
          {t('Pause')}
        </Button>
      )}
      {isAllowed('resume') && (!isHeld || isAhead(job)) && (
        <Button
          variant={isHeld ? 'plain' : 'primary'}
          icon={isHeld ? 'clock' : 'play'}
          busy={control.isPending}
          onClick={() => control.mutate('resume')}
        >
          {isHeld ? t('Send as scheduled') : t('Resume')}
        </Button>
      )}
      {canSendNow && (
        <Button variant="primary" icon="send" onClick={() => setOpenDialog('send')}>
          {t('Send now…')}
        </Button>
      )}
      {isAllowed('retry') && <RetryButton job={job} />}
      {control.isError && openDialog !== 'cancel' && <ErrorLine error={control.error} />}
      <FormDialog
        open={openDialog === 'cancel'}
        title={t('Cancel this job?')}
        lead={
          job.name === null
            ? t(
                '{count, plural, one {# recipient} other {# recipients}} will not receive the message. You cannot undo this, but you can retry them later.',
                { count: job.pending },
              )
            : t(
                '“{name}”: {count, plural, one {# recipient} other {# recipients}} will not receive the message. You cannot undo this, but you can retry them later.',
                { name: job.name, count: job.pending },
              )
        }
        danger
        cancel={t('Keep job')}
        action={t('Cancel job')}
        mutation={control}
        onSubmit={() => control.mutate('cancel')}
        onClose={close}
      />
      {openDialog === 'send' && <SendNowDialog job={job} onClose={close} />}
      {openDialog === 'schedule' && <ScheduleDialog job={job} onClose={close} />}
    </>
  );
}
