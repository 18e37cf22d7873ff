import { describeLaneStores } from '../support/lane-stores';
import { ago } from '../support/sending-tables';

describeLaneStores('Paused jobs at rest', (bench) => {
  const paused = { status: 'Paused', cursor: 2, settledBelow: 2 };
  const SENT = { 1: { outcome: 'Sent', attempt: 1 } } as const;
  const ids = async (epoch: string) => (await bench.unfinishedJobs(epoch)).map(({ id }) => id);

  it('are seen once more, then no longer, unlike others', async () => {
    const running = await bench.tables.addJob(1);
    const job = await bench.tables.addJob(2, paused, SENT);
    const epoch = await bench.taken();

    expect(await ids(epoch)).toEqual([running, job]);
    expect(await ids(epoch)).toEqual([running]);
    expect(await bench.tables.job(job)).toMatchObject({ atRest: true, laneEpoch: 0 });
  });

  it('have nothing in flight or unknown, and something left to send', async () => {
    const waiting = { ...paused, cursor: 3, settledBelow: 3 };
    const atRest = await bench.tables.addJob(2, waiting, { ...SENT, 2: { retryAt: ago(-60), attempt: 1 } });
    const seen = [
      await bench.tables.addJob(2, { ...paused, unknown: 1, unknownInGrace: 1 }, { 1: { outcome: 'Unknown' } }),
      await bench.tables.addJob(2, paused, { 1: { sendingEpoch: 1, attempt: 2 } }),
      await bench.tables.addJob(1, paused, SENT),
    ];
    const epoch = await bench.taken();
    // A concurrent change: the first attempt has no answer yet.
    seen.push(await bench.tables.addJob(2, { ...paused, settledBelow: 1, laneEpoch: Number(epoch) }));
    await ids(epoch);

    expect(await ids(epoch)).toEqual(expect.arrayContaining(seen));
    expect(await ids(epoch)).not.toContain(atRest);
  });

  it('need no lane and are not touched by a takeover', async () => {
    const job = await bench.tables.addJob(2, paused, SENT);
    const epoch = await bench.taken();
    await ids(epoch);
    await bench.tables.endLease();

    expect(await bench.isRunnable()).toBe(false);
    await bench.taken(bench.process('second process'));
    expect(await bench.tables.job(job)).toMatchObject({ atRest: true, laneEpoch: 0 });
  });

  it.each(['Processing', 'Cancelled'])('are adopted again when they become %s', async (status) => {
    const job = await bench.tables.addJob(2, paused, SENT);
    const epoch = await bench.taken();
    await ids(epoch);
    await bench.tables.change('jobs', { id: job }, { status });

    expect(await ids(epoch)).toEqual([job]);
    expect(await bench.tables.job(job)).toMatchObject({ laneEpoch: Number(epoch) });
  });

  it('are processed by the next owner of the lane when they continue', async () => {
    const job = await bench.tables.addJob(2, paused, SENT);
    await ids(await bench.taken());
    await bench.tables.endLease();
    await bench.tables.change('jobs', { id: job }, { status: 'Processing' });

    expect(await bench.isRunnable()).toBe(true);
    const next = bench.process('second process');
    const epoch = await bench.taken(next);
    expect(await bench.tables.job(job)).toMatchObject({ laneEpoch: Number(epoch) });
  });

  it('are seen again when a late answer changes their counters', async () => {
    const job = await bench.tables.addJob(2, { ...paused, cursor: 3, settledBelow: 3 }, { 2: { retryAt: ago(-60) } });
    const epoch = await bench.taken();
    await ids(epoch);
    await bench.unitOfWork.run(() =>
      bench.jobs.save(job, [], { successfullySent: 1, failed: 0, skipped: 0, unknown: 0, unknownInGrace: 0 }),
    );

    expect(await ids(epoch)).toEqual([job]);
  });

  it('never claim for an old epoch, however they continued', async () => {
    const job = await bench.tables.addJob(2, paused, SENT);
    const lost = await bench.taken();
    const [seen] = await bench.unfinishedJobs(lost);
    await bench.tables.endLease();
    await bench.taken(bench.process('second process'));
    await bench.tables.change('jobs', { id: job }, { status: 'Processing' });

    expect(await bench.claimFirst(seen!, lost, 1, 2)).toBeNull();
  });
});

describeLaneStores('Recipients that are open where nothing of their job is in flight', (bench) => {
  it('become unknown and are counted, only below the cursor and for the epoch of the job', async () => {
    const epoch = await bench.taken();
    const job = await bench.tables.addJob(
      4,
      { status: 'Processing', cursor: 5, settledBelow: 5, laneEpoch: Number(epoch) },
      { 1: { outcome: 'Sent', attempt: 1 }, 3: { attempt: 1, retryAt: ago(-60) } },
    );
    await bench.jobs.strandOpen(job, '99', 5);
    expect(await bench.outcomesOf(job)).toEqual(['Sent', null, null, null]);
    expect(await bench.jobs.countOutcomes(job, 4)).toMatchObject({ open: 2 });
    await bench.jobs.strandOpen(job, epoch, 4);
    expect(await bench.outcomesOf(job)).toEqual(['Sent', 'Unknown', null, null]);
    await bench.jobs.strandOpen(job, epoch, 5);
    expect(await bench.outcomesOf(job)).toEqual(['Sent', 'Unknown', null, 'Unknown']);
    expect(await bench.tables.job(job)).toMatchObject({ unknown: 2, unknownInGrace: 2 });
  });
});
