/**
 * Functions that return whether a send window is closed and when it opens, by the time zones of the database; those of Node.js
 * may be of another release.
 */
export const SEND_WINDOWS = `
-- The local time minus the opening time falls on the weekday on which the window opened, and its time of day is how long the window
-- has been open.
CREATE FUNCTION send_window_closed(send_from time, send_until time, send_zone text, send_days smallint[], at timestamptz)
RETURNS boolean LANGUAGE sql STABLE AS $$
SELECT NOT (extract(isodow FROM (at AT TIME ZONE send_zone) - send_from::interval) = ANY(send_days)
  AND ((at AT TIME ZONE send_zone) - send_from::interval)::time::interval
    < send_until - send_from + CASE WHEN send_until < send_from THEN interval '1 day' ELSE interval '0' END)
$$;

-- The first moment from "at" on at which the window is open. UTC offsets and clock changes are multiples of 15 minutes, so a window opens
-- at a quarter of an hour, or at send_from's minutes after one. 15 days: the window may be on one weekday, and the clock may skip its hour.
CREATE FUNCTION send_window_opens_at(send_from time, send_until time, send_zone text, send_days smallint[], at timestamptz)
RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  last_at timestamptz := at + interval '15 days';
  past_quarter interval := extract(minute FROM send_from)::int % 15 * interval '1 min';
  quarter timestamptz := date_bin('15 min', at, 'epoch');
  moment timestamptz;
BEGIN
  WHILE quarter < last_at LOOP
    moment := GREATEST(at, quarter);
    IF NOT send_window_closed(send_from, send_until, send_zone, send_days, moment) THEN RETURN moment; END IF;
    moment := GREATEST(at, quarter + past_quarter);
    IF NOT send_window_closed(send_from, send_until, send_zone, send_days, moment) THEN RETURN moment; END IF;
    quarter := quarter + interval '15 min';
  END LOOP;
  RETURN last_at;
END $$;
`;
