import { clockTime, duration, exactTime, plannedTime, relativeTime } from './format';
import { useNow } from './now';
import { t } from '../language/translate';

const TEXTS = {
  relative: relativeTime,
  clock: clockTime,
  exact: exactTime,
  planned: plannedTime,
  remaining: (at: Date, now: Date) => duration((at.getTime() - now.getTime()) / 1000),
};

/** A time, by default relative (“3 minutes ago”), with the exact time as tooltip; `remaining`: how long until then (“3 min”). */
export function Time({ at, as = 'relative' }: { at: string; as?: keyof typeof TEXTS }) {
  const now = useNow();
  const moment = new Date(at);
  const text = TEXTS[as](moment, now);
  return (
    <time dateTime={at} title={exactTime(moment)} className="time">
      {text}
    </time>
  );
}

/** The age of a screen's data: “Updated 3 s ago”. `at`: epoch milliseconds, such as a query's `dataUpdatedAt`. */
export function AsOf({ at, live = false }: { at: number; live?: boolean }) {
  const now = useNow();
  if (at === 0) return null;
  const seconds = Math.max(0, Math.round((now.getTime() - at) / 1000));
  const time =
    seconds < 2 ? t('just now') : seconds < 120 ? t('{seconds} s ago', { seconds }) : relativeTime(new Date(at), now);
  return (
    <span className="as-of" title={exactTime(new Date(at))}>
      {live && <span className="as-of-dot" aria-hidden="true" />}
      <span>{live ? t('Live, updated {time}', { time }) : t('Updated {time}', { time })}</span>
    </span>
  );
}
