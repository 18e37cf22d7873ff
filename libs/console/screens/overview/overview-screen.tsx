import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useIsStarting, useLive, usePollInterval, useRefresh } from '../../app/live';
import { useRecentJobPage } from '../../app/recent-jobs';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { Bars } from '../../ui/charts/bars';
import { STATE_WORDS } from '../../app/states';
import { errorTitle } from '../../api/error-title';
import { locale, t } from '../../language/translate';
import { count, timeOfDay } from '../../ui/format';
import { ButtonLink, Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Panel } from '../../ui/panel';
import { Segments } from '../../ui/segments';
import { Empty, Loaded, Loading } from '../../ui/states';
import { AsOf } from '../../ui/time';
import { useLate } from '../../ui/use-late';
import { getOverview } from '../../../client/generated/sdk.gen';
import type { OverviewDto } from '../../../client/generated/types.gen';
import { shareOfSent } from './share-of-sent';
import { Week } from './week';

/** What is loaded beside the code of the figures; null if it cannot be: without it the overview is complete except for lists. */
const beside = import('./lists').then(
  ({ default: lists }) => lists,
  () => null,
);
/** Undefined while it is loading. */
type Lists = Awaited<typeof beside> | undefined;
/** The figures wait this long for the lists above and between them, which would move them. */
const LISTS_MS = 1500;

const HOUR_MS = 3_600_000;
const RANGES = {
  day: { label: t('24 hours'), bucket: 'hour', ms: 23 * HOUR_MS },
  week: { label: t('7 days'), bucket: 'day', ms: 6 * 24 * HOUR_MS },
  month: { label: t('30 days'), bucket: 'day', ms: 29 * 24 * HOUR_MS },
} as const;
type Range = keyof typeof RANGES;
const CHOICES = (Object.keys(RANGES) as Range[]).map((value) => ({ value, label: RANGES[value].label }));
/** Polling interval; read receipts and received messages have no event. */
const POLL_MS = 10_000;

const DAY = new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Current problems and recent activity. */
export default function OverviewScreen() {
  const session = useSession();
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
  // The lists below share its answer.
  const jobs = useRecentJobPage();
  const [lists, setLists] = useState<Lists>();
  useEffect(() => void beside.then(setLists), []);
  const isStarting = useIsStarting();
  const refresh = useRefresh(queryKeys.overview.all, 2000);
  // The first answer includes the states with which a stream starts.
  const onChange = () => isStarting() || refresh();
  useLive('job', onChange);
  useLive('conversation', onChange);

  return (
    <>
      <PageHeader
        title={t('Overview')}
        asOf={<AsOf at={overview.dataUpdatedAt} />}
        actions={
          session.can('messaging:send') && (
            <ButtonLink to="/send/campaign" variant="primary" icon="send">
              {t('New campaign')}
            </ButtonLink>
          )
        }
      />
      <Loaded query={overview} loading={<Loading rows={8} />}>
        {(found) =>
          hasNothing(found) && lists !== null && !jobs.isError && (jobs.data?.totalCount ?? 0) === 0 ? (
            jobs.isLoading || !lists ? (
              <Loading rows={8} />
            ) : (
              <lists.FirstSteps />
            )
          ) : (
            <Filled overview={found} lists={lists}>
              <Panel
                title={t('Messages')}
                actions={
                  <Segments
                    label={t('Period')}
                    value={filters.range as Range}
                    choices={CHOICES}
                    onChange={(chosen) => setFilters({ range: chosen })}
                  />
                }
              >
                <Activity overview={found} bucket={range.bucket} />
              </Panel>
            </Filled>
          )
        }
      </Loaded>
    </>
  );
}

/** The figures and lists; `children`: the messages of the chosen period. */
function Filled({ overview, lists, children }: { overview: OverviewDto; lists: Lists; children: ReactNode }) {
  const hasJobs = useSession().can('jobs:read');
  const [isKnown, setKnown] = useState(!hasJobs);
  const isLate = useLate(LISTS_MS);
  const isShown = isKnown || isLate || lists === null;
  return (
    <>
      {hasJobs && lists && <lists.Attention onKnown={() => setKnown(true)} />}
      {isShown ? (
        <>
          <CurrentCounts overview={overview} />
          {hasJobs && lists && <lists.RecentJobs />}
          <Week weeks={overview.weeks} />
          {children}
          <Panel title={t('Why messages failed')}>
            <Failures overview={overview} />
          </Panel>
        </>
      ) : (
        <Loading rows={8} />
      )}
    </>
  );
}

/** Whether the account has no unfinished job, and no messages in two weeks. */
function hasNothing({ jobs, unread, totals, weeks: { last, before } }: OverviewDto): boolean {
  const messages = [totals, last, ...(before ? [before] : [])].map(
    ({ sent, failed, received }) => sent + failed + received,
  );
  return [...Object.values(jobs), unread, ...messages].every((number) => number === 0);
}

/** The current counts of open jobs and unread conversations, each a link to them. */
function CurrentCounts({ overview: { jobs, unread } }: { overview: OverviewDto }) {
  const session = useSession();
  return (
    <ul className="current" aria-label={t('Now', {}, 'current counts')}>
      {session.can('jobs:read') && (
        <>
          <Current label={t('In progress')} value={jobs.processing} to="/jobs?status=Processing" />
          <Current label={t('Waiting')} value={jobs.waiting} isProblem to="/jobs?status=Processing" />
          <Current label={STATE_WORDS.Paused} value={jobs.paused} isProblem to="/jobs?status=Paused" />
          <Current label={STATE_WORDS.Scheduled} value={jobs.scheduled} to="/jobs?status=Scheduled" />
        </>
      )}
      {session.can('messaging:read') && (
        <Current label={t('Unread conversations')} value={unread} to="/conversations?show=unread" />
      )}
    </ul>
  );
}

function Current({ label, value, to, isProblem }: { label: string; value: number; to: string; isProblem?: boolean }) {
  return (
    <li data-tone={isProblem && value > 0 ? 'warning' : undefined} data-none={value === 0 || undefined}>
      <Link to={to}>
        {label} <strong>{count(value)}</strong>
      </Link>
    </li>
  );
}

function Activity({ overview, bucket }: { overview: OverviewDto; bucket: 'hour' | 'day' }) {
  const { totals, series } = overview;
  if (totals.sent + totals.failed + totals.received === 0) {
    return <Empty icon="send" title={t('No messages in this period')} />;
  }
  const labelOf = bucket === 'hour' ? timeOfDay : (at: Date) => DAY.format(at);
  const valuesOf = (key: 'sent' | 'delivered' | 'read') => series.map((one) => one[key]);
  return (
    <>
      {totals.sent > 0 && (
        <p className="lead">
          {t('{delivered} of sent messages delivered, {read} read.', {
            delivered: shareOfSent(totals, 'delivered'),
            read: shareOfSent(totals, 'read'),
          })}
        </p>
      )}
      <Bars
        label={t('Messages over time')}
        at={series.map(({ at }) => labelOf(new Date(at)))}
        nested={[
          { label: STATE_WORDS.Sent, color: 'var(--chart-sent)', values: valuesOf('sent') },
          { label: STATE_WORDS.Delivered, color: 'var(--chart-delivered)', values: valuesOf('delivered') },
          { label: STATE_WORDS.Read, color: 'var(--chart-read)', values: valuesOf('read') },
        ]}
        adjacent={{
          label: t('Failed or not delivered'),
          color: 'var(--chart-failed)',
          values: series.map(({ failed, undelivered }) => failed + undelivered),
        }}
      />
    </>
  );
}

function Failures({ overview: { topFailures } }: { overview: OverviewDto }) {
  const most = topFailures[0]?.count ?? 0;
  if (most === 0) return <p className="lead">{t('No failures in this period.')}</p>;
  return (
    <ul className="reasons">
      {topFailures.map(({ errorCode, count: failures }) => (
        <li key={errorCode}>
          <span>{errorTitle(errorCode)}</span>
          <span className="reasons-bar" aria-hidden="true">
            <span style={{ width: `${(failures / most) * 100}%` }} />
          </span>
          <strong>{count(failures)}</strong>
        </li>
      ))}
    </ul>
  );
}
