import { t } from '../../language/translate';
import { RECENT } from '../../app/recent-jobs';
import { Link } from '../../ui/link';
import { Panel } from '../../ui/panel';
import { Table } from '../../ui/table';
import { jobColumns, RATES } from '../jobs/job-columns';
import { useJobList } from '../jobs/use-job-list';

const MOST = 5;

/** The newest jobs, with a link to all; renders nothing if there are none. */
export function RecentJobs() {
  const jobs = useJobList(RECENT).data?.items.slice(0, MOST) ?? [];
  if (jobs.length === 0) return null;
  return (
    <Panel
      title={t('Recent jobs')}
      actions={
        <>
          <span className="hint">{RATES}</span>
          <Link to="/jobs">{t('All jobs')}</Link>
        </>
      }
      flush
    >
      <Table label={t('Recent jobs')} columns={jobColumns(jobs)} rows={jobs} rowKey={({ jobId }) => jobId} />
    </Panel>
  );
}
