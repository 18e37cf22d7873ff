import type { ReactNode } from 'react';
import { useSession } from '../../app/session';
import { STATE_WORDS } from '../../app/states';
import { locale, t } from '../../language/translate';
import { count } from '../../ui/format';
import { Link } from '../../ui/link';
import { Panel } from '../../ui/panel';
import type { ActivityCountsDto, ActivityWeeksDto } from '../../../client/generated/types.gen';
import { ofSent, shareOfSent } from './share-of-sent';

const CHANGE = new Intl.NumberFormat(locale(), {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
const POINTS = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/**
 * What was sent, delivered, read, failed and received in the last seven days, beside the seven before if they had any messages and are
 * kept; nothing without any messages.
 */
export function Week({ weeks }: { weeks: ActivityWeeksDto }) {
  const session = useSession();
  const { last } = weeks;
  const before = weeks.before && !isEmpty(weeks.before) ? weeks.before : null;
  if (isEmpty(last) && !before) return null;
  const counted = (part: 'sent' | 'failed' | 'received') => ({
    value: count(last[part]),
    change: before && growth(last[part], before[part]),
    before: before && count(before[part]),
  });
  return (
    <Panel title={t('Last 7 days')}>
      <dl className="week">
        <Figure
          label={STATE_WORDS.Sent}
          hint={last.undelivered > 0 && t('{count, number} not delivered', { count: last.undelivered })}
          {...counted('sent')}
        />
        <Rate label={STATE_WORDS.Delivered} part="delivered" last={last} before={before} />
        <Rate label={STATE_WORDS.Read} part="read" last={last} before={before} />
        <Figure
          label={
            session.can('messaging:read') ? (
              <Link to="/messages?status=Failed">{STATE_WORDS.Failed}</Link>
            ) : (
              STATE_WORDS.Failed
            )
          }
          tone={last.failed > 0 ? 'danger' : undefined}
          {...counted('failed')}
        />
        <Figure label={STATE_WORDS.Received} {...counted('received')} />
      </dl>
      <p className="hint">{t('Counted when it happens; a job may show it some seconds earlier.')}</p>
    </Panel>
  );
}

/** A share of the sent messages; its change is in percentage points. */
function Rate({
  label,
  part,
  last,
  before,
}: {
  label: string;
  part: 'delivered' | 'read';
  last: ActivityCountsDto;
  before: ActivityCountsDto | null;
}) {
  const compared = before !== null && before.sent > 0 ? before : null;
  const points = compared && (rateOf(last, part) - rateOf(compared, part)) * 100;
  return (
    <Figure
      label={label}
      value={shareOfSent(last, part)}
      change={points !== null && last.sent > 0 ? t('{points} points', { points: POINTS.format(points) }) : null}
      hint={t('{count, number} of sent messages', { count: last[part] })}
      before={compared && shareOfSent(compared, part)}
    />
  );
}

function Figure({
  label,
  value,
  tone,
  change,
  hint,
  before,
}: {
  label: ReactNode;
  value: string;
  tone?: 'danger';
  change: string | null;
  hint?: string | false;
  /** The same of the seven days before. */
  before: string | null;
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="week-value">
        <span data-tone={tone}>{value}</span> {change && <span className="week-change">{change}</span>}
      </dd>
      {hint && <dd className="hint">{hint}</dd>}
      {before && <dd className="hint">{t('{figure} in the 7 days before', { figure: before })}</dd>}
    </div>
  );
}

function isEmpty({ sent, delivered, read, failed, received }: ActivityCountsDto): boolean {
  return sent + delivered + read + failed + received === 0;
}

function rateOf(counts: ActivityCountsDto, part: 'delivered' | 'read'): number {
  return counts.sent > 0 ? ofSent(counts, part) / counts.sent : 0;
}

/** The growth in percent; null if there was nothing before. */
function growth(last: number, before: number): string | null {
  return before > 0 ? CHANGE.format(last / before - 1) : null;
}
