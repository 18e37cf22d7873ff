import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { t } from '../../language/translate';
import { plannedTime } from '../../ui/format';
import { useNow } from '../../ui/now';
import { Switch } from '../../ui/switch';
import { showToast } from '../../ui/toast';
import { changeBulkJob, getBulkJob, resumeBulkJob } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import { ConfirmSend } from '../send/confirm-send';
import { isAhead } from './schedule-dialog';
import { windowStart } from './window-start';

/** Confirms an early start. Outside the job's sending hours it says when they begin, and offers to drop them. */
export function SendNowDialog({ job, onClose }: { job: BulkJobDetailDto; onClose: () => void }) {
  const queries = useQueryClient();
  const now = useNow();
  const [isAnyTime, setAnyTime] = useState(false);
  const opensAt = job.sendWindow && windowStart(job.sendWindow, now);
  const window = isAnyTime ? null : job.sendWindow;
  const counted = useQuery({
    queryKey: queryKeys.job.recipients(job.jobId, { optedOut: true }),
    queryFn: ({ signal }) => call(getBulkJob, { path: { jobId: job.jobId }, query: { counts: 'true' } }, { signal }),
    select: ({ optedOut }) => optedOut,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const send = useMutation({
    mutationFn: async () => {
      const path = { jobId: job.jobId };
      const change = {
        // Without its schedule, a job on hold starts when it is resumed.
        ...(isAhead(job) && { scheduledAt: null }),
        ...(isAnyTime && { sendWindow: null }),
      };
      const changed = Object.keys(change).length > 0 ? await call(changeBulkJob, { path, body: change }) : job;
      return changed.status === 'Paused' ? call(resumeBulkJob, { path }) : changed;
    },
    onSuccess: (changed) => {
      queries.setQueryData(queryKeys.job.one(job.jobId), changed);
      void queries.invalidateQueries({ queryKey: queryKeys.jobs.all });
      const { throttled } = changed;
      const waitsUntil = throttled?.reason === 'send_window' ? throttled.until : null;
      showToast(
        waitsUntil === null
          ? t('Sending started')
          : t('Sending starts at {time}', { time: plannedTime(new Date(waitsUntil)) }),
      );
      onClose();
    },
  });
  // The number to confirm does not change while it is read.
  if (counted.isPending) return null;
  const optedOut = counted.data;
  return (
    <ConfirmSend
      open
      messages={job.pending - (optedOut ?? 0)}
      optedOut={optedOut}
      name={job.name ?? ''}
      templateName={job.templateName}
      options={{ startsAt: '', window, hold: false }}
      start={window && opensAt}
      sending={send.isPending}
      sent={null}
      error={send.error}
      onSend={() => send.mutate()}
      onClose={onClose}
    >
      {opensAt && (
        <Switch
          label={t('Send now anyway')}
          hint={t('The job then has no sending hours.')}
          checked={isAnyTime}
          onChange={setAnyTime}
        />
      )}
    </ConfirmSend>
  );
}
