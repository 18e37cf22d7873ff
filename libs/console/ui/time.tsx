import { clockTime, exactTime, relativeTime } from './format';
import { useNow } from './now';

/** A moment as far away as it is, such as “3 minutes ago”; the exact one shows on pointing at it. */
export function Time({ at, as = 'relative' }: { at: string; as?: 'relative' | 'clock' | 'exact' }) {
  const now = useNow();
  const moment = new Date(at);
  const text = { relative: relativeTime, clock: clockTime, exact: exactTime }[as](moment, now);
  return (
    <time dateTime={at} title={exactTime(moment)} className="time">
      {text}
    </time>
  );
}

/** How old the figures of a screen are: “as of 3 s ago”. `at`: milliseconds, as `dataUpdatedAt` of a query has them. */
export function AsOf({ at, live = false }: { at: number; live?: boolean }) {
  const now = useNow();
  if (at === 0) return null;
  const seconds = Math.max(0, Math.round((now.getTime() - at) / 1000));
  return (
    <span className="as-of" title={exactTime(new Date(at))}>
      {live && <span className="as-of-dot" aria-hidden="true" />}
      {live ? 'live, ' : ''}as of{' '}
      {seconds < 2 ? 'now' : seconds < 120 ? `${seconds} s ago` : relativeTime(new Date(at), now)}
    </span>
  );
}
