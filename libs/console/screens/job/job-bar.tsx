import { jobTitle } from '../../app/job-title';
import { t } from '../../language/translate';
import { ProgressBar } from '../../ui/progress-bar';
import type { BulkJobDto } from '../../../client/generated/types.gen';
import type { JobCounts } from './job-counts';

/** The progress bar of a job. */
export function JobBar({ job, counts }: { job: Pick<BulkJobDto, 'name' | 'templateName'>; counts: JobCounts }) {
  return (
    <ProgressBar
      label={t('Progress of {job}', { job: jobTitle(job) })}
      total={counts.valid}
      parts={[
        { label: t('sent'), value: counts.sent, tone: 'active' },
        { label: t('failed'), value: counts.failed, tone: 'danger' },
        { label: t('unconfirmed'), value: counts.unconfirmed, tone: 'warning' },
        { label: t('opted out'), value: counts.optedOut, tone: 'plain' },
        { label: t('not sent'), value: counts.notSent, tone: 'plain' },
        { label: t('not reached'), value: counts.unsorted, tone: 'plain' },
      ]}
    />
  );
}
