import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useLive, usePollInterval } from '../../app/live';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { Bars } from '../../ui/charts/bars';
import { count, share, humanize, timeOfDay } from '../../ui/format';
import { ButtonLink } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Panel } from '../../ui/panel';
import { Segments } from '../../ui/segments';
import { Stat, Stats } from '../../ui/stat';
import { Empty, Loaded, Loading } from '../../ui/states';
import { AsOf } from '../../ui/time';
import { getOverview } from '../../../client/generated/sdk.gen';
import type { ActivityCountsDto, OverviewDto } from '../../../client/generated/types.gen';
import { Attention } from './attention';

const HOUR_MS = 3_600_000;
const RANGES = {
  day: { label: '24 hours', bucket: 'hour', ms: 23 * HOUR_MS },
  week: { label: '7 days', bucket: 'day', ms: 6 * 24 * HOUR_MS },
  month: { label: '30 days', bucket: 'day', ms: 29 * 24 * HOUR_MS },
} as const;
type Range = keyof typeof RANGES;
const CHOICES = (Object.keys(RANGES) as Range[]).map((value) => ({ value, label: RANGES[value].label }));
/** Polling interval; read receipts and received messages have no event. */
const POLL_MS = 10_000;

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Current problems and recent activity. */
export default function OverviewScreen() {
  const session = useSession();
  const queries = useQueryClient();
  const [filters, setFilters] = useUrlFilters({ range: 'day' });
  const range = RANGES[filters.range as Range] ?? RANGES.day;
  const poll = usePollInterval(true);
  const overview = useQuery({
    queryKey: queryKeys.overview.range(filters.range),
    queryFn: ({ signal }) =>
      call(
        getOverview,
        { query: { bucket: range.bucket, from: new Date(Date.now() - range.ms).toISOString() } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.jobs.processing ?? 0) > 0 && poll ? poll * 2 : POLL_MS),
  });
  useLive('job', () => {
    const { dataUpdatedAt } = overview;
    if (Date.now() - dataUpdatedAt > 2000) void queries.invalidateQueries({ queryKey: queryKeys.overview.all });
  });
  useLive('conversation', () => void queries.invalidateQueries({ queryKey: queryKeys.overview.all }));

  return (
    <>
      <PageHeader
        title="Overview"
        asOf={<AsOf at={overview.dataUpdatedAt} />}
        actions={
          session.can('messaging:send') && (
            <ButtonLink to="/send/campaign" variant="primary" icon="send">
              New campaign
            </ButtonLink>
          )
        }
      />
      <Loaded query={overview} loading={<Loading rows={8} />}>
        {(found) => (
          <>
            <CurrentCounts overview={found} />
            {session.can('jobs:read') && <Attention />}
            <Panel
              title="Messages"
              actions={
                <Segments
                  label="Period"
                  value={filters.range as Range}
                  choices={CHOICES}
                  onChange={(chosen) => setFilters({ range: chosen })}
                />
              }
            >
              <Activity overview={found} bucket={range.bucket} />
            </Panel>
            <Panel title="Why messages failed">
              <Failures overview={found} />
            </Panel>
          </>
        )}
      </Loaded>
    </>
  );
}

/** The current counts of open jobs and unread conversations. */
function CurrentCounts({ overview: { jobs, unread } }: { overview: OverviewDto }) {
  const session = useSession();
  return (
    <Stats>
      {session.can('jobs:read') && (
        <>
          <Stat label="Sending now" value={count(jobs.processing)} to="/jobs?status=Processing" />
          <Stat
            label="Waiting"
            value={count(jobs.waiting)}
            tone={jobs.waiting > 0 ? 'warning' : undefined}
            to="/jobs?status=Processing"
          />
          <Stat
            label="Paused"
            value={count(jobs.paused)}
            tone={jobs.paused > 0 ? 'warning' : undefined}
            to="/jobs?status=Paused"
          />
          <Stat label="Scheduled" value={count(jobs.scheduled)} to="/jobs?status=Scheduled" />
        </>
      )}
      {session.can('messaging:read') && (
        <Stat label="Unread conversations" value={count(unread)} to="/conversations?show=unread" />
      )}
    </Stats>
  );
}

function Activity({ overview, bucket }: { overview: OverviewDto; bucket: 'hour' | 'day' }) {
  const { totals, series } = overview;
  if (totals.sent + totals.failed + totals.received === 0) {
    return <Empty icon="send" title="No messages in this period" />;
  }
  const labelOf = bucket === 'hour' ? timeOfDay : (at: Date) => DAY.format(at);
  const valuesOf = (key: keyof ActivityCountsDto) => series.map((one) => one[key]);
  return (
    <>
      <p className="lead">
        {share(totals.delivered, totals.sent)} of sent messages delivered, {share(totals.read, totals.sent)} read.
      </p>
      <Bars
        label="Messages over time"
        at={series.map(({ at }) => labelOf(new Date(at)))}
        nested={[
          { label: 'Sent', color: 'var(--chart-sent)', values: valuesOf('sent') },
          { label: 'Delivered', color: 'var(--chart-delivered)', values: valuesOf('delivered') },
          { label: 'Read', color: 'var(--chart-read)', values: valuesOf('read') },
        ]}
        adjacent={{
          label: 'Failed',
          color: 'var(--chart-failed)',
          values: series.map(({ failed, undelivered }) => failed + undelivered),
        }}
      />
    </>
  );
}

function Failures({ overview: { topFailures } }: { overview: OverviewDto }) {
  const most = topFailures[0]?.count ?? 0;
  if (most === 0) return <p className="lead">No failures in this period.</p>;
  return (
    <ul className="reasons">
      {topFailures.map(({ errorCode, count: failures }) => (
        <li key={errorCode}>
          <span>{humanize(errorCode)}</span>
          <span className="reasons-bar" aria-hidden="true">
            <span style={{ width: `${(failures / most) * 100}%` }} />
          </span>
          <strong>{count(failures)}</strong>
        </li>
      ))}
    </ul>
  );
}
