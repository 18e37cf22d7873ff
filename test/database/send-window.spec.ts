import type { Database } from '../../src/infra/database/database';
import { isOpen, opensAt, type SendWindow } from '../../src/modules/bulk-jobs/domain/send-window';
import { isTimeZone } from '../../src/modules/bulk-jobs/domain/wall-clock';
import { CLOSED } from '../../src/modules/delivery/adapters/lane-jobs.sql';
import { windowColumns } from '../fakes/lane-rows';
import { Dice } from '../simulation/dice';
import { describeOnDatabase } from '../support/databases';

const MOMENTS = 6000;
const OPENINGS = 500;
const DAY_MS = 86_400_000;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tokyo', 'Asia/Kathmandu', 'UTC'];
/** Days on which these zones change their clocks. */
const CHANGES = ['2026-03-29', '2026-10-25', '2026-03-08', '2026-11-01', '2026-04-05', '2026-10-04'].map((day) =>
  Date.parse(day),
);

interface Sample {
  window: SendWindow;
  at: Date;
}

function sampleOf(dice: Dice): Sample {
  const minutes = (): number => (dice.chance(0.5) ? dice.whole(0, 300) : dice.whole(0, 1439));
  const text = (of: number): string =>
    `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`;
  const from = minutes();
  const until = dice.chance(0.1) ? 1440 : minutes();
  const days = [1, 2, 3, 4, 5, 6, 7].filter(() => dice.chance(0.6));
  const window: SendWindow = {
    from: text(from),
    until: text(until === from ? from + 1 : until),
    timeZone: dice.pick(ZONES),
    days: days.length > 0 ? days : [dice.whole(1, 7)],
  };
  const base = dice.chance(0.6)
    ? dice.pick(CHANGES) - DAY_MS
    : Date.parse('2025-01-01') + dice.between(0, 730) * DAY_MS;
  return { window, at: new Date(Math.floor(base + dice.between(0, 3) * DAY_MS)) };
}

describeOnDatabase('The send window in SQL', (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  it(`is closed exactly when the domain rule says so, at ${MOMENTS} moments`, async () => {
    const dice = new Dice(20_260_301);
    const samples = Array.from({ length: MOMENTS }, () => sampleOf(dice));
    const columns = samples.map(({ window, at }, n) => {
      const { sendFrom, sendUntil, sendZone, sendDays } = windowColumns(window);
      return { n, send_from: sendFrom, send_until: sendUntil, send_zone: sendZone, send_days: sendDays, at };
    });
    const rows = await database.rows<{ closed: boolean }>(
      `SELECT ${CLOSED.replaceAll('statement_timestamp()', 'at')} AS closed FROM jsonb_to_recordset($1::jsonb)
         AS w (n int, send_from time, send_until time, send_zone text, send_days smallint[], at timestamptz) ORDER BY n`,
      [JSON.stringify(columns)],
    );
    const differing = samples.filter(({ window, at }, n) => isOpen(window, at) === rows[n]!.closed);
    expect(differing).toEqual([]);
    expect(rows.filter(({ closed }) => closed).length).toBeGreaterThan(MOMENTS / 5);
    expect(rows.filter(({ closed }) => !closed).length).toBeGreaterThan(MOMENTS / 5);
  });

  it('opens when the domain rule says so', async () => {
    const dice = new Dice(20_260_302);
    const samples = Array.from({ length: OPENINGS }, () => sampleOf(dice));
    const columns = samples.map(({ window, at }, n) => {
      const { sendFrom, sendUntil, sendZone, sendDays } = windowColumns(window);
      return { n, send_from: sendFrom, send_until: sendUntil, send_zone: sendZone, send_days: sendDays, at };
    });
    const rows = await database.rows<{ opens: Date }>(
      `SELECT send_window_opens_at(send_from, send_until, send_zone, send_days, at) AS opens
       FROM jsonb_to_recordset($1::jsonb)
         AS w (n int, send_from time, send_until time, send_zone text, send_days smallint[], at timestamptz) ORDER BY n`,
      [JSON.stringify(columns)],
    );
    const differing = samples.flatMap(({ window, at }, n) => {
      const expected = opensAt(window, at);
      return expected.getTime() === rows[n]!.opens.getTime() ? [] : [{ window, at, expected, opens: rows[n]!.opens }];
    });
    expect(differing).toEqual([]);
  });

  it('knows every time zone that clients may use', async () => {
    const names = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Asia/Kolkata', 'Etc/GMT+5'].filter(isTimeZone);
    expect(names.length).toBeGreaterThan(400);
    const [row] = await database.rows<{ count: number }>(
      `SELECT count(now() AT TIME ZONE name)::int AS count FROM unnest($1::text[]) AS name`,
      [names],
    );
    expect(row!.count).toBe(names.length);
  });
});
