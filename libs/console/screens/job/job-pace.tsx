import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { STATE_WORDS } from '../../app/states';
import { PaceChart } from '../../ui/charts/pace-chart';
import { locale, t } from '../../language/translate';
import { dayAndTime } from '../../ui/format';
import { Panel } from '../../ui/panel';
import { Loaded } from '../../ui/states';
import { isOver } from '../../../client/job-events';
import { getBulkJobPace } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto, JobPaceDto } from '../../../client/generated/types.gen';
import { isMoving } from './status-poll';

const POLL_MS = 2000;
/** Fetches once a watched job has ended, as its last figures are stored a few seconds later. */
const LAST_FETCHES = 4;
const CLOCK = new Intl.DateTimeFormat(locale(), { timeStyle: 'medium' });
const LONG_MS = 12 * 3_600_000;

/** The steps of the job's pace over time, refetched while it runs. */
export function useJobPace(job: BulkJobDetailDto): UseQueryResult<JobPaceDto> {
  const moving = isMoving(job);
  const [wasOver] = useState(isOver(job));
  return useQuery({
    // `moving` is part of the key, so that the last steps are fetched once the job has ended.
    queryKey: queryKeys.job.pace(job.jobId, moving),
    queryFn: ({ signal }) => call(getBulkJobPace, { path: { jobId: job.jobId } }, { signal }),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) =>
      moving || (!wasOver && isOver(job) && state.dataUpdateCount < LAST_FETCHES) ? POLL_MS : false,
  });
}

/** A chart of the job's pace over time, with the limit of its sender. */
export function JobPace({ job }: { job: BulkJobDetailDto }) {
  const paces = useJobPace(job);
  if (job.startedAt === null) return null;
  // Figures are not imminent while the job waits.
  if (job.throttled && paces.data?.items.length === 0) return null;
  return (
    <Panel title={t('Pace')}>
      <Loaded query={paces}>
        {(found) =>
          found.items.length === 0 && job.recipientsExpiredAt !== null ? (
            <p className="lead">{t('The figures have been deleted after the retention period.')}</p>
          ) : (
            <Chart found={found} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function Chart({ found }: { found: JobPaceDto }) {
  if (found.items.length === 0) return <p className="lead">{t('The first figures appear within seconds.')}</p>;
  const steps = found.items.map(({ at, sent, failed }) => ({
    at: Date.parse(at),
    values: [sent / found.stepSeconds, Math.max(0, failed) / found.stepSeconds],
  }));
  const isLong = steps.at(-1)!.at - steps[0]!.at > LONG_MS;
  return (
    <PaceChart
      label={t('Messages per second')}
      height={112}
      steps={steps}
      stepMs={found.stepSeconds * 1000}
      nominal={found.nominal}
      series={[
        { label: STATE_WORDS.Sent, color: 'var(--chart-delivered)' },
        { label: STATE_WORDS.Failed, color: 'var(--chart-failed)' },
      ]}
      clock={(at) => (isLong ? dayAndTime(new Date(at)) : CLOCK.format(new Date(at)))}
    />
  );
}
