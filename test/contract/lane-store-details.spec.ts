import { describeLaneStores } from '../support/lane-stores';
import { ago } from '../support/sending-tables';

describeLaneStores('Details of LaneJobStore and LaneLeases', (bench) => {
  it('locks the recipients that have waited longest for their retry first', async () => {
    const waiting = [5, 60, 30].map((seconds) => ({ attempt: 1, retryAt: ago(seconds) }));
    const job = await bench.tables.addJob(3, { cursor: 4 }, { 1: waiting[0]!, 2: waiting[1]!, 3: waiting[2]! });
    const { rows } = await bench.lockWaiting(job, 'retry', 2);

    expect(rows.map(({ position }) => position)).toEqual([2, 3]);
  });

  it('locks the outcomes that have been unknown longest first', async () => {
    const unknown = [1000, 3000, 2000].map((seconds) => ({
      ...({ attempt: 1, outcome: 'Unknown', unknownSince: ago(seconds) } as const),
    }));
    const job = await bench.tables.addJob(3, { cursor: 4 }, { 1: unknown[0]!, 2: unknown[1]!, 3: unknown[2]! });
    const { rows } = await bench.lockWaiting(job, 'grace over', 2);

    expect(rows.map(({ position }) => position)).toEqual([2, 3]);
  });

  it('reads at most 500 later attempts in flight', async () => {
    const epoch = await bench.taken();
    const inFlight = { attempt: 2, sendingEpoch: Number(epoch) };
    const positions = Array.from({ length: 501 }, (_, index) => index + 1);
    const recipients = Object.fromEntries(positions.map((position) => [position, inFlight]));
    const job = await bench.tables.addJob(501, { cursor: 502, laneEpoch: Number(epoch) }, recipients);

    expect(await bench.jobs.laterAttempts(job, epoch)).toHaveLength(500);
  });

  it('clears why a job waits when it completes', async () => {
    const epoch = await bench.taken();
    const waits = { throttledReason: 'messaging_limit_reached', throttledUntil: ago(-60) };
    const done = { status: 'Processing', cursor: 2, settledBelow: 2, successfullySent: 1, laneEpoch: Number(epoch) };
    const job = await bench.tables.addJob(1, { ...done, ...waits }, { 1: { outcome: 'Sent', attempt: 1 } });

    expect(await bench.jobs.complete(job, epoch)).toBe(true);
    expect(await bench.tables.job(job)).toMatchObject({ throttledReason: null, throttledUntil: null });
  });

  it('records when a job was paused', async () => {
    const epoch = await bench.taken();
    const job = await bench.tables.addJob(1, { status: 'Processing', laneEpoch: Number(epoch) });
    await bench.jobs.stop(job, epoch, { final: false, problem: 'template_paused', reason: 'Paused by the platform.' });

    const { pausedAt } = await bench.tables.job(job);
    expect(Math.abs(pausedAt!.getTime() - Date.now())).toBeLessThan(60_000);
  });

  it('clears the reports of other processes when a process is the only one', async () => {
    await bench.leases.report(3);
    await bench.process('only process', true).leases.report(2);

    expect(await bench.process('second process').leases.report(1)).toEqual({ workers: 2, lanes: 3 });
  });

  it('finds pending retries, due or not', async () => {
    const job = await bench.tables.addJob(
      3,
      { status: 'Cancelled' },
      { 1: { attempt: 1, retryAt: ago(1) }, 3: { attempt: 1, retryAt: ago(-500) } },
    );
    const { rows } = await bench.lockWaiting(job, 'retry', 10);

    expect(rows.map(({ position }) => position).sort()).toEqual([1, 3]);
  });
});
