import { describeLaneStores } from '../support/lane-stores';
import { ago } from '../support/sending-tables';

describeLaneStores('The validity of jobs in a LaneJobStore', (bench) => {
  const over = { validUntil: ago(1) };

  it('ends for the lane at its time, and not before', async () => {
    const epoch = await bench.taken();
    const [never, later, now] = [
      await bench.tables.addJob(1),
      await bench.tables.addJob(1, { validUntil: ago(-60) }),
      await bench.tables.addJob(1, over),
    ];
    expect((await bench.seen(never, epoch)).expired).toBe(false);
    expect((await bench.seen(later, epoch)).expired).toBe(false);
    expect((await bench.seen(now, epoch)).expired).toBe(true);
  });

  it('allows no claims once it is over', async () => {
    const epoch = await bench.taken();
    const job = await bench.tables.addJob(3, { cursor: 2, ...over }, { 1: { attempt: 1, retryAt: ago(1) } });
    const seen = await bench.seen(job, epoch);
    expect(await bench.claimFirst(seen, epoch, 3, 1)).toBeNull();
    expect(await bench.claimRetries(seen, epoch, 3)).toEqual({ recipients: [], optedOut: [] });
    expect(await bench.tables.job(job)).toMatchObject({ cursor: 2, failed: 0 });
  });

  it('fails open recipients behind the cursor, batch by batch, and counts exactly those', async () => {
    const epoch = await bench.taken();
    const invalid = { outcome: 'Failed', problem: 'phone_invalid' } as const;
    const job = await bench.tables.addJob(
      7,
      { cursor: 3, settledBelow: 1, failed: 2, ...over },
      { 1: { outcome: 'Sent', attempt: 1 }, 4: invalid, 7: invalid },
    );

    expect(await bench.expire(await bench.seen(job, epoch), epoch, 3, 2)).toBe(6);
    expect(await bench.tables.job(job)).toMatchObject({ cursor: 6, settledBelow: 2, failed: 4, status: 'Processing' });
    expect(await bench.expire(await bench.seen(job, epoch), epoch, 3, 2)).toBe(8);
    expect(await bench.tables.job(job)).toMatchObject({ cursor: 8, failed: 5, successfullySent: 0 });

    const rows = await bench.tables.recipients(job);
    expect(rows.map(({ outcome, problem }) => problem ?? outcome)).toEqual([
      'Sent',
      null,
      'expired',
      'phone_invalid',
      'expired',
      'expired',
      'phone_invalid',
    ]);
    expect(rows[2]).toMatchObject({
      outcome: 'Failed',
      attempt: 0,
      problemMessage: expect.stringMatching(/validity/) as string,
    });
  });

  it('fails no one if the job has changed', async () => {
    const epoch = await bench.taken();
    const job = await bench.tables.addJob(3, over);
    const seen = await bench.seen(job, epoch);
    expect(await bench.expire({ ...seen, cursor: 2 }, epoch, 3, 1)).toBeNull();
    expect(await bench.expire(seen, '0', 3, 1)).toBeNull();
    for (const status of ['Paused', 'Cancelled', 'Failed']) {
      await bench.tables.change('jobs', { id: job }, { status });
      expect(await bench.expire(seen, epoch, 3, 1)).toBeNull();
    }
    await bench.tables.change('jobs', { id: job }, { status: 'Queued', validUntil: ago(-60) });
    expect(await bench.expire(seen, epoch, 3, 1)).toBeNull();
    expect(await bench.outcomesOf(job)).toEqual([null, null, null]);
    expect(await bench.tables.job(job)).toMatchObject({ cursor: 1, failed: 0 });
  });

  it.each([
    ['has nothing to do for a job whose recipients wait for another attempt', { validUntil: ago(-60) }, false],
    ['is to be run when the time of such a job is over', over, true],
    ['leaves a paused job as it is', { ...over, status: 'Paused' }, false],
  ])('%s', async (_, changes, runnable) => {
    const waiting = { attempt: 1, retryAt: ago(-60) };
    await bench.tables.addJob(1, { status: 'Processing', cursor: 2, settledBelow: 2, ...changes }, { 1: waiting });
    expect(await bench.isRunnable()).toBe(runnable);
  });
});
