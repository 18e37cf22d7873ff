import type { RecipientRow } from '../fakes/engine-rows';
import { uuidV7 } from '../../src/kernel/uuid';
import { describeLaneStores, GRACE_MS } from '../support/lane-stores';
import { ago, type SendingTables } from '../support/sending-tables';

describeLaneStores('The lanes of LaneLeases and LaneJobStore', (bench) => {
  describe('The workers', () => {
    it('know their number, and the number of lanes that they run together', async () => {
      const other = bench.process('second process');
      const { workers, lanes } = await bench.leases.report(3);
      expect(await other.leases.report(4)).toEqual({ workers: workers + 1, lanes: lanes + 4 });
      expect(await bench.leases.report(1)).toEqual({ workers: workers + 1, lanes: lanes + 2 });
    });

    it('do not count one that has left', async () => {
      const other = bench.process('second process');
      await bench.leases.report(3);
      const { workers, lanes } = await other.leases.report(4);
      await bench.leases.leave();

      expect(await other.leases.report(4)).toEqual({ workers: workers - 1, lanes: lanes - 3 });
    });

    it('do not count one that has not reported for 3 s', async () => {
      const other = bench.process('second process');
      await bench.leases.report(3);
      const { workers } = await other.leases.report(4);
      await bench.tables.silence('first process');

      expect((await other.leases.report(4)).workers).toBeLessThan(workers);
    });
  });

  describe('The lease', () => {
    it('goes to one process at a time', async () => {
      const other = bench.process('second process');

      expect(await bench.take()).toBe('1');
      expect(await bench.take(other)).toBeNull();
      expect(await bench.take()).toBeNull();
    });

    it('goes to one of many concurrent requests', async () => {
      const processes = Array.from({ length: 8 }, (_, index) => bench.process(`process ${index}`));
      const epochs = await Promise.all(processes.map((one) => bench.take(one)));

      expect(epochs.filter((epoch) => epoch !== null)).toEqual(['1']);
    });

    it('is immediately free when released', async () => {
      await bench.leases.release(bench.tables.senderId, await bench.taken());

      expect(await bench.take(bench.process('second process'))).toBe('2');
    });

    it('is free when not renewed', async () => {
      const epoch = await bench.taken();
      await bench.tables.endLease();

      expect(await bench.take(bench.process('second process'))).toBe('2');
      expect(await bench.leases.renew(bench.tables.senderId, epoch)).toBe(false);
    });

    it('continues if renewed late but before a takeover', async () => {
      const epoch = await bench.taken();
      await bench.tables.endLease();

      expect(await bench.leases.renew(bench.tables.senderId, epoch)).toBe(true);
      expect(await bench.take(bench.process('second process'))).toBeNull();
    });

    it('cannot be released by a process that lost it', async () => {
      const lost = await bench.taken();
      await bench.tables.endLease();
      const epoch = await bench.taken(bench.process('second process'));
      await bench.leases.release(bench.tables.senderId, lost);

      expect(await bench.leases.renew(bench.tables.senderId, epoch)).toBe(true);
      expect(await bench.take()).toBeNull();
    });

    it('is reacquired by the only process, even after a lost release', async () => {
      const only = bench.process('only process', true);
      await bench.taken(only);
      await bench.tables.addJob(1);

      expect(await only.leases.sendersToRun()).toContain(bench.tables.senderId);
      expect(await bench.take(only)).toBe('2');
    });

    it('is not acquired if its transaction fails', async () => {
      const taking = bench.unitOfWork.run(async () => {
        await bench.take();
        throw new Error('no');
      });
      await expect(taking).rejects.toThrow('no');

      expect(await bench.tables.lane()).toBeUndefined();
    });

    it('shows why the lane waits, only for the current epoch', async () => {
      const epoch = await bench.taken();
      await bench.leases.showThrottle(bench.tables.senderId, epoch, { reason: 'platform_outage', until: ago(-10) });
      expect(await bench.tables.lane()).toMatchObject({ throttledReason: 'platform_outage' });

      await bench.leases.showThrottle(bench.tables.senderId, '0', null);
      expect(await bench.tables.lane()).toMatchObject({ throttledReason: 'platform_outage' });

      await bench.leases.showThrottle(bench.tables.senderId, epoch, null);
      expect(await bench.tables.lane()).toMatchObject({ throttledReason: null, throttledUntil: null });
    });

    it('locks the lane in a transaction only for its own epoch', async () => {
      const epoch = await bench.taken();

      expect(await bench.unitOfWork.run(() => bench.leases.hold(bench.tables.senderId, epoch))).toBe(true);
      expect(await bench.unitOfWork.run(() => bench.leases.hold(bench.tables.senderId, '0'))).toBe(false);
    });
  });

  describe('A takeover', () => {
    it('stamps exactly the unfinished jobs, in any state', async () => {
      const stamped = await Promise.all(
        ['Scheduled', 'Queued', 'Processing', 'Paused', 'Cancelled', 'Failed'].map((status) =>
          bench.tables.addJob(1, { status }),
        ),
      );
      const untouched = await Promise.all([
        bench.tables.addJob(1, { status: 'Completed', completedAt: ago(1) }),
        bench.tables.addJob(1, { status: 'Importing' }),
        bench.tables.addJob(1, { status: 'Abandoned' }),
      ]);
      await bench.taken();

      for (const id of stamped) expect(await bench.tables.job(id)).toMatchObject({ laneEpoch: 1 });
      for (const id of untouched) expect(await bench.tables.job(id)).toMatchObject({ laneEpoch: 0 });
    });

    it('marks exactly what was in flight as unknown', async () => {
      const inFlight = { attempt: 2, sendingEpoch: 1 };
      const job = await bench.tables.addJob(
        9,
        { status: 'Processing', cursor: 7, settledBelow: 3, laneEpoch: 1, successfullySent: 1 },
        {
          1: inFlight,
          2: { outcome: 'Sent', attempt: 1 },
          3: {},
          4: { retryAt: ago(-60), attempt: 1 },
          5: { outcome: 'Failed', problem: 'invalid_number', attempt: 1 },
          6: { ...inFlight },
          7: { ...inFlight, attempt: 3 },
        },
      );
      await bench.take();
      await bench.tables.endLease();
      await bench.taken(bench.process('second process'));

      expect(await bench.outcomesOf(job)).toEqual([
        'Unknown',
        'Sent',
        'Unknown',
        null,
        'Failed',
        'Unknown',
        'Unknown',
        null,
        null,
      ]);
      const rows = await bench.tables.recipients(job);
      expect(rows[0]).toMatchObject({ attempt: 2, sendingEpoch: null, retryAt: null, problem: null });
      expect(rows[2]).toMatchObject({ attempt: 1, unknownSince: expect.anything() as Date });
      expect(rows[3]).toMatchObject({ outcome: null, retryAt: expect.anything() as Date });
      expect(await bench.tables.job(job)).toMatchObject({ unknown: 4, unknownInGrace: 4, settledBelow: 7, cursor: 7 });
    });

    it('ignores what other senders have in flight', async () => {
      const other = await bench.renewSender();
      const job = await other.addJob(2, { status: 'Processing', cursor: 3 });
      await bench.taken();

      expect((await other.recipients(job)).map(({ outcome }) => outcome)).toEqual([null, null]);
    });
  });

  describe('A look', () => {
    it('adopts new jobs and shows the unfinished ones of the lane, oldest first', async () => {
      const epoch = await bench.taken();
      const first = await bench.tables.addJob(2);
      const second = await bench.tables.addJob(1, { status: 'Paused' });
      await bench.tables.addJob(1, { status: 'Scheduled', atRest: true });
      await bench.tables.addJob(1, { status: 'Importing' });
      await bench.tables.addJob(1, { status: 'Completed', completedAt: ago(1) });
      const jobs = await bench.unfinishedJobs(epoch);

      expect(jobs.map(({ id }) => id)).toEqual([first, second]);
      expect(jobs[0]).toMatchObject({
        accountId: bench.tables.accountId,
        totalRecipients: 2,
        cursor: 1,
        status: 'Queued',
      });
      expect(await bench.tables.job(first)).toMatchObject({ laneEpoch: 1 });
    });

    it('adopts nothing for an old epoch', async () => {
      const lost = await bench.taken();
      await bench.tables.endLease();
      await bench.taken(bench.process('second process'));
      const job = await bench.tables.addJob(1);

      expect(await bench.unfinishedJobs(lost)).toEqual([]);
      expect(await bench.tables.job(job)).toMatchObject({ laneEpoch: 0 });
    });

    it('reports what waits, what is in flight and what is past its grace time', async () => {
      const epoch = await bench.taken();
      const idle = await bench.tables.addJob(1);
      const due = await bench.tables.addJob(1, {}, { 1: { retryAt: ago(1) } });
      const waiting = await bench.tables.addJob(1, {}, { 1: { retryAt: ago(-60) } });
      const sending = await bench.tables.addJob(1, {}, { 1: { sendingEpoch: 1 } });
      const grace = await bench.tables.addJob(1, {}, { 1: { outcome: 'Unknown', unknownSince: ago(901) } });

      const nothing = { retryDue: false, retryWaiting: false, sending: false, graceOver: false };
      expect(await bench.seen(idle, epoch)).toMatchObject(nothing);
      expect(await bench.seen(due, epoch)).toMatchObject({ ...nothing, retryDue: true, retryWaiting: true });
      expect(await bench.seen(waiting, epoch)).toMatchObject({ ...nothing, retryWaiting: true });
      expect(await bench.seen(sending, epoch)).toMatchObject({ ...nothing, sending: true });
      expect(await bench.seen(grace, epoch)).toMatchObject({ ...nothing, graceOver: true });
    });
  });

  describe('A sender is to be run', () => {
    const settled = { cursor: 2, settledBelow: 2, status: 'Processing' };
    const unknown: Partial<RecipientRow> = { outcome: 'Unknown', attempt: 1, unknownSince: ago(5) };

    it.each<[string, Parameters<SendingTables['addJob']>]>([
      ['when first attempts are left', [1]],
      ['when a retry is due', [1, settled, { 1: { attempt: 1, retryAt: ago(1) } }]],
      ['when first attempts were in flight', [1, { ...settled, settledBelow: 1, status: 'Paused' }]],
      ['when a later attempt was in flight', [1, settled, { 1: { attempt: 2, sendingEpoch: 1 } }]],
      [
        'when a grace time is over',
        [1, { ...settled, unknownInGrace: 1 }, { 1: { ...unknown, unknownSince: ago(901) } }],
      ],
      ['when nothing is open', [1, { ...settled, successfullySent: 1 }, { 1: { outcome: 'Sent' } }]],
      ['when the counters do not show that nothing is open', [1, settled, { 1: { outcome: 'Sent' } }]],
      ['when a paused job has nothing open', [1, { ...settled, status: 'Paused', failed: 1 }]],
      ['when a job was cancelled', [3, { ...settled, status: 'Cancelled' }]],
      [
        'when a cancelled job has something waiting',
        [3, { ...settled, status: 'Cancelled', unknownInGrace: 1 }, { 1: { attempt: 1, retryAt: ago(-60) } }],
      ],
    ])('%s', async (_, job) => {
      await bench.tables.addJob(...job);
      expect(await bench.isRunnable()).toBe(true);
    });

    it.each<[string, Parameters<SendingTables['addJob']>]>([
      ['while a job is imported', [1, { status: 'Importing' }]],
      ['for an abandoned import', [1, { status: 'Abandoned' }]],
      ['before the time of a scheduled job', [1, { status: 'Scheduled' }]],
      ['for a paused job', [3, { ...settled, status: 'Paused' }, { 1: { attempt: 1, retryAt: ago(1) } }]],
      ['while a retry is not due', [1, settled, { 1: { attempt: 1, retryAt: ago(-60) } }]],
      ['within the grace time', [1, { ...settled, unknownInGrace: 1 }, { 1: unknown }]],
      [
        'for a cancelled job within the grace time',
        [3, { ...settled, status: 'Cancelled', unknownInGrace: 1 }, { 1: unknown }],
      ],
      ['after the end of a job', [1, { ...settled, status: 'Completed', completedAt: ago(1), successfullySent: 1 }]],
    ])('not %s', async (_, job) => {
      await bench.tables.addJob(...job);
      expect(await bench.isRunnable()).toBe(false);
    });

    it('when a single send is due or was in flight in a lane', async () => {
      await bench.tables.addSingle({ retryAt: ago(-60) });
      await bench.tables.addSingle({ retryAt: null, attempt: 1, giveUpAt: ago(-10) });
      expect(await bench.isRunnable()).toBe(false);

      const due = await bench.tables.addSingle();
      expect(await bench.isRunnable()).toBe(true);
      await bench.tables.change('singleSends', { messageId: due }, { retryAt: null, sendingEpoch: 1 });
      expect(await bench.isRunnable()).toBe(true);
    });

    it('only while its lane is free', async () => {
      await bench.tables.addJob(1);
      const epoch = await bench.taken();
      expect(await bench.isRunnable()).toBe(false);

      await bench.tables.endLease();
      expect(await bench.isRunnable()).toBe(true);
      await bench.leases.renew(bench.tables.senderId, epoch);
      expect(await bench.isRunnable()).toBe(false);
      await bench.leases.release(bench.tables.senderId, epoch);
      expect(await bench.isRunnable()).toBe(true);
    });
  });

  describe('A job whose template the platform limits', () => {
    it('waits if it runs and belongs to the epoch, and continues automatically', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(3, { status: 'Processing' });
      const paused = await bench.tables.addJob(3, { status: 'Paused' });
      const seen = async () => (await bench.seen(job, epoch)).held;
      expect(await seen()).toBe(false);
      expect(await bench.jobs.hold(job, '0', 60_000)).toBeNull();
      expect(await bench.jobs.hold(paused, epoch, 60_000)).toBeNull();
      expect(await seen()).toBe(false);

      const until = await bench.jobs.hold(job, epoch, 60_000);
      expect(Math.abs(until!.getTime() - Date.now() - 60_000)).toBeLessThan(60_000);
      expect(await seen()).toBe(true);
      await bench.jobs.hold(job, epoch, -1);
      expect(await seen()).toBe(false);
    });

    it('makes the jobs of the other senders of its business account wait, and no others', async () => {
      const { tables } = bench;
      const [business, another] = [uuidV7(), uuidV7()];
      const [limited, other, foreign] = [
        await tables.addSenderOf(business),
        await tables.addSenderOf(business),
        await tables.addSenderOf(another),
      ];
      const running = { status: 'Processing' };
      const own = await tables.addJob(3, { ...running, senderId: limited });
      const held = await tables.addJob(3, { ...running, senderId: other });
      const tried = await tables.addJob(3, { ...running, senderId: other, cursor: 4 });
      const paused = await tables.addJob(3, { status: 'Paused', senderId: other });
      const apart = await tables.addJob(3, { ...running, senderId: foreign });

      const waiting = await bench.jobs.holdOfOtherSenders(limited, 60_000);
      expect(waiting).toEqual([{ id: held, accountId: tables.accountId, until: expect.any(Date) as Date }]);
      expect(await tables.job(held)).toMatchObject({
        throttledReason: 'template_limited',
        throttledUntil: waiting[0]!.until,
      });
      for (const job of [own, tried, paused, apart])
        expect(await tables.job(job)).toMatchObject({ throttledReason: null });
      expect(await bench.jobs.holdOfOtherSenders(limited, 60_000)).toEqual([]);
    });
  });

  describe('A job that waits only for unknown outcomes', () => {
    it('is marked once, and only for its own epoch', async () => {
      const epoch = await bench.taken();
      const unknown = { outcome: 'Unknown', attempt: 1 } as const;
      const job = await bench.tables.addJob(
        2,
        { status: 'Processing', cursor: 3, settledBelow: 3, unknown: 2, unknownInGrace: 2 },
        { 1: { ...unknown, unknownSince: ago(5) }, 2: { ...unknown, unknownSince: ago(50) } },
      );
      await bench.seen(job, epoch);

      expect(await bench.jobs.beginUnknownWait(job, '0')).toBeNull();
      const until = await bench.jobs.beginUnknownWait(job, epoch);
      expect(Math.abs(until!.getTime() - ago(5).getTime() - GRACE_MS)).toBeLessThan(60_000);
      expect(await bench.jobs.beginUnknownWait(job, epoch)).toBeNull();
      const settled = await bench.tables.addJob(1, { status: 'Processing' });
      await bench.seen(settled, epoch);
      expect(await bench.jobs.beginUnknownWait(settled, epoch)).toBeNull();
    });
  });
});
