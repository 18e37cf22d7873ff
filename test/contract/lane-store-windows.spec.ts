import type { SendWindow } from '../../src/modules/bulk-jobs/domain/send-window';
import { windowColumns } from '../fakes/lane-rows';
import { describeLaneStores } from '../support/lane-stores';
import { ago } from '../support/sending-tables';

/** A one-hour window that opens in this many hours, in UTC. */
function openingIn(hours: number): ReturnType<typeof windowColumns> {
  const clock = (ahead: number): string => new Date(Date.now() + ahead * 3_600_000).toISOString().slice(11, 16);
  const window: SendWindow = {
    from: clock(hours),
    until: clock(hours + 1),
    timeZone: 'UTC',
    days: [1, 2, 3, 4, 5, 6, 7],
  };
  return windowColumns(window);
}

describeLaneStores('The send window of jobs in a LaneJobStore', (bench) => {
  const open = openingIn(-0.5);
  const closed = openingIn(2);
  const waiting = { attempt: 1, retryAt: ago(1) };

  it('is closed for the lane outside its hours, and open in them', async () => {
    const epoch = await bench.taken();
    const [any, now, later] = [
      await bench.tables.addJob(1),
      await bench.tables.addJob(1, open),
      await bench.tables.addJob(1, closed),
    ];
    expect((await bench.seen(any, epoch)).closed).toBe(false);
    expect((await bench.seen(now, epoch)).closed).toBe(false);
    expect((await bench.seen(later, epoch)).closed).toBe(true);
  });

  it('allows no claims while it is closed, for first or later attempts', async () => {
    const epoch = await bench.taken();
    const job = await bench.tables.addJob(3, { cursor: 2, ...open }, { 1: waiting });
    const seen = await bench.seen(job, epoch);
    await bench.tables.change('jobs', { id: job }, closed);

    expect(await bench.claimFirst(seen, epoch, 3, 1)).toBeNull();
    expect(await bench.claimRetries(seen, epoch, 3)).toEqual({ recipients: [], optedOut: [] });
    expect(await bench.tables.job(job)).toMatchObject({ cursor: 2 });
    await bench.tables.change('jobs', { id: job }, open);
    expect(await bench.claimFirst(seen, epoch, 3, 1)).toMatchObject({ cursor: 4 });
    expect((await bench.claimRetries(seen, epoch, 3)).recipients).toHaveLength(1);
  });

  it('applies to a started job as to a new one', async () => {
    const epoch = await bench.taken();
    const begun = { status: 'Processing', startedAt: ago(60), cursor: 3, settledBelow: 3 };
    const job = await bench.tables.addJob(
      4,
      { ...begun, ...closed },
      { 1: waiting, 2: { outcome: 'Sent', attempt: 1 } },
    );
    const seen = await bench.seen(job, epoch);

    expect(seen.closed).toBe(true);
    expect(await bench.claimFirst({ ...seen, closed: false }, epoch, 3, 1)).toBeNull();
    expect(await bench.claimRetries({ ...seen, closed: false }, epoch, 3)).toEqual({ recipients: [], optedOut: [] });
    await bench.tables.endLease();
    expect(await bench.isRunnable()).toBe(false);
  });

  it.each([
    ['open', open, true],
    ['closed', closed, false],
  ])('that is %s decides whether there is work for a lane', async (_, window, runnable) => {
    await bench.tables.addJob(2, { status: 'Processing', cursor: 2, settledBelow: 2, ...window }, { 1: waiting });
    expect(await bench.isRunnable()).toBe(runnable);
  });

  it('does not extend the validity', async () => {
    const epoch = await bench.taken();
    const job = await bench.tables.addJob(2, { ...closed, validUntil: ago(1) });
    await bench.tables.endLease();
    expect(await bench.isRunnable()).toBe(true);
    expect(await bench.expire(await bench.seen(job, epoch), epoch, 3, 1)).toBe(3);
  });

  it('does not prevent answers from being settled', async () => {
    await bench.tables.addJob(1, { status: 'Processing', cursor: 2, settledBelow: 1, ...closed });
    expect(await bench.isRunnable()).toBe(true);
  });
});

describeLaneStores('Scheduled jobs in a LaneJobStore', (bench) => {
  const scheduled = { status: 'Scheduled', scheduledAt: ago(-60) };

  it('need no lane, and are put at rest', async () => {
    const job = await bench.tables.addJob(2, { ...scheduled, cursor: 2, settledBelow: 2 });
    expect(await bench.isRunnable()).toBe(false);
    const epoch = await bench.taken();
    await bench.unfinishedJobs(epoch);
    expect(await bench.unfinishedJobs(epoch)).toEqual([]);
    expect(await bench.tables.job(job)).toMatchObject({ atRest: true, laneEpoch: 0 });
  });

  it('are not claimed', async () => {
    const epoch = await bench.taken();
    const job = await bench.tables.addJob(2);
    const seen = await bench.seen(job, epoch);
    await bench.tables.change('jobs', { id: job }, scheduled);
    expect(await bench.claimFirst(seen, epoch, 2, 1)).toBeNull();
  });

  it('with earlier sends still settle unanswered attempts', async () => {
    const job = await bench.tables.addJob(2, { ...scheduled, cursor: 2, settledBelow: 1 });
    expect(await bench.isRunnable()).toBe(true);
    await bench.taken();
    expect(await bench.outcomesOf(job)).toEqual(['Unknown', null]);
  });

  it('are adopted when they start', async () => {
    const job = await bench.tables.addJob(2, { ...scheduled, atRest: true });
    const epoch = await bench.taken();
    await bench.tables.change('jobs', { id: job }, { status: 'Queued' });
    expect((await bench.seen(job, epoch)).laneEpoch).toBe(epoch);
  });
});
