import { STATE_WORDS } from '../../app/states';
import { locale, t } from '../../language/translate';
import { count, share } from '../../ui/format';
import { Panel } from '../../ui/panel';
import type { ActivityCountsDto, ActivityWeeksDto } from '../../../client/generated/types.gen';

const CHANGE = new Intl.NumberFormat(locale(), {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
const POINTS = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/** What was sent, delivered, read and received in the last seven days, beside the seven before if they are kept; nothing without any messages. */
export function Week({ weeks: { last, before } }: { weeks: ActivityWeeksDto }) {
  if (isEmpty(last) && (before === null || isEmpty(before))) return null;
  return (
    <Panel title={t('Last 7 days')} actions={before && <span className="hint">{t('and the 7 days before')}</span>}>
      <dl className="week">
        <Figure
          label={STATE_WORDS.Sent}
          value={count(last.sent)}
          change={before && growth(last.sent, before.sent)}
          before={before && count(before.sent)}
        />
        <Rate label={STATE_WORDS.Delivered} part="delivered" last={last} before={before} />
        <Rate label={STATE_WORDS.Read} part="read" last={last} before={before} />
        <Figure
          label={STATE_WORDS.Received}
          value={count(last.received)}
          change={before && growth(last.received, before.received)}
          before={before && count(before.received)}
        />
      </dl>
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
  const points = compared && (rateOf(last[part], last.sent) - rateOf(compared[part], compared.sent)) * 100;
  return (
    <Figure
      label={label}
      value={last.sent > 0 ? shareOf(last[part], last.sent) : '–'}
      change={points !== null && last.sent > 0 ? t('{points} points', { points: POINTS.format(points) }) : null}
      hint={t('{count, number} of sent messages', { count: last[part] })}
      before={compared && shareOf(compared[part], compared.sent)}
    />
  );
}

function Figure({
  label,
  value,
  change,
  hint,
  before,
}: {
  label: string;
  value: string;
  change: string | null;
  hint?: string | null;
  before: string | null;
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="week-value">
        {value} {change && <span className="week-change">{change}</span>}
      </dd>
      {hint && <dd className="hint">{hint}</dd>}
      {before && <dd className="hint">{t('{figure} before', { figure: before })}</dd>}
    </div>
  );
}

function isEmpty({ sent, delivered, read, failed, received }: ActivityCountsDto): boolean {
  return sent + delivered + read + failed + received === 0;
}

/** Deliveries count when they are reported, so a period may have more than it sent. */
function rateOf(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0;
}

function shareOf(part: number, whole: number): string {
  return share(Math.min(part, whole), whole);
}

/** The growth in percent; null if there was nothing before. */
function growth(last: number, before: number): string | null {
  return before > 0 ? CHANGE.format(last / before - 1) : null;
}
