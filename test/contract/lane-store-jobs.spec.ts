import { uuidV7 } from '../../src/kernel/uuid';
import type { LockedRecipient, RecipientState } from '../../src/modules/delivery/domain/lane-job-store.port';
import type { RecipientRow } from '../fakes/engine-rows';
import { describeLaneStores } from '../support/lane-stores';
import { ago, phoneAt } from '../support/sending-tables';

const NOTHING = { successfullySent: 0, failed: 0, skipped: 0, unknown: 0, unknownInGrace: 0 };

describeLaneStores('LaneJobStore and Claims', (bench) => {
  describe('A claim of first attempts', () => {
    it('moves the cursor past exactly what it claimed', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(5);
      const claim = await bench.claimFirst(await bench.seen(job, epoch), epoch, 3, 1);

      expect(claim).toMatchObject({ cursor: 4, skipped: 0 });
      expect(claim!.recipients.map(({ position }) => position)).toEqual([1, 2, 3]);
      expect(claim!.recipients[0]).toMatchObject({
        jobId: job,
        attempt: 1,
        person: phoneAt(1),
        parameters: ['Mira "1"'],
        messageId: (await bench.tables.recipients(job))[0]!.messageId,
      });
      expect(await bench.tables.job(job)).toMatchObject({
        cursor: 4,
        settledBelow: 1,
        status: 'Processing',
        startedAt: expect.anything() as Date,
      });
    });

    it('skips recipients that failed on import, without counting them against the limit', async () => {
      const epoch = await bench.taken();
      const failed: Partial<RecipientRow> = { outcome: 'Failed', problem: 'phone_invalid' };
      const job = await bench.tables.addJob(7, { failed: 4 }, { 1: failed, 2: failed, 4: failed, 7: failed });

      const first = await bench.claimFirst(await bench.seen(job, epoch), epoch, 2, 1);
      expect(first!.recipients.map(({ position }) => position)).toEqual([3, 5]);
      expect(first!.cursor).toBe(6);

      const second = await bench.claimFirst(await bench.seen(job, epoch), epoch, 2, 6);
      expect(second!.recipients.map(({ position }) => position)).toEqual([6]);
      expect(await bench.tables.job(job)).toMatchObject({ cursor: 8, failed: 4, skipped: 0 });
    });

    it('skips opted-out people and counts them', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(3);
      await bench.tables.optOut(phoneAt(2));
      const claim = await bench.claimFirst(await bench.seen(job, epoch), epoch, 3, 1);

      expect(claim!.recipients.map(({ position }) => position)).toEqual([1, 3]);
      expect(claim!.skipped).toBe(1);
      expect((await bench.tables.recipients(job))[1]).toMatchObject({
        outcome: 'Skipped',
        problem: 'opted_out',
        attempt: 0,
      });
      expect(await bench.tables.job(job)).toMatchObject({ skipped: 1, failed: 1, cursor: 4 });
    });

    it('skips people who have opted out under the user id beside their number', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(3, {}, { 1: { userId: 'DE.11' }, 2: { userId: 'DE.12' } });
      await bench.tables.optOut('DE.12');
      const claim = await bench.claimFirst(await bench.seen(job, epoch), epoch, 3, 1);

      expect(claim!.recipients.map(({ position }) => position)).toEqual([1, 3]);
      expect((await bench.tables.recipients(job))[1]).toMatchObject({ outcome: 'Skipped', problem: 'opted_out' });
      expect(await bench.tables.job(job)).toMatchObject({ skipped: 1, failed: 1, cursor: 4 });
    });

    it('is refused if the job has changed', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(4);
      const before = await bench.seen(job, epoch);
      await bench.claimFirst(before, epoch, 1, 1);

      expect(await bench.claimFirst(before, epoch, 1, 1)).toBeNull();
      expect(await bench.claimFirst({ ...before, cursor: 2 }, '0', 1, 1)).toBeNull();
      for (const status of ['Paused', 'Cancelled', 'Failed']) {
        await bench.tables.change('jobs', { id: job }, { status });
        expect(await bench.claimFirst({ ...before, cursor: 2 }, epoch, 1, 1)).toBeNull();
      }
      expect(await bench.tables.job(job)).toMatchObject({ cursor: 2 });
    });

    it('is refused after another process took over the lane', async () => {
      const lost = await bench.taken();
      const job = await bench.tables.addJob(4);
      const before = await bench.seen(job, lost);
      await bench.tables.endLease();
      await bench.taken(bench.process('second process'));

      expect(await bench.claimFirst(before, lost, 1, 1)).toBeNull();
      expect(await bench.outcomesOf(job)).toEqual([null, null, null, null]);
    });

    it('skips no one if refused', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(2);
      await bench.tables.optOut(phoneAt(1));
      const before = await bench.seen(job, epoch);
      await bench.tables.change('jobs', { id: job }, { status: 'Paused' });

      expect(await bench.claimFirst(before, epoch, 2, 1)).toBeNull();
      expect(await bench.outcomesOf(job)).toEqual([null, null]);
    });
  });

  describe('A claim of later attempts', () => {
    it('claims due recipients, the longest waiting first, up to the limit', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(
        4,
        { cursor: 5, settledBelow: 5 },
        {
          1: { attempt: 1, retryAt: ago(1) },
          2: { attempt: 1, retryAt: ago(-60) },
          3: { attempt: 2, retryAt: ago(3) },
          4: { attempt: 1, retryAt: ago(2) },
        },
      );
      const { recipients } = await bench.claimRetries(await bench.seen(job, epoch), epoch, 2);

      expect(recipients.map(({ position, attempt }) => [position, attempt]).sort()).toEqual([
        [3, 3],
        [4, 2],
      ]);
      const rows = await bench.tables.recipients(job);
      expect(rows[2]).toMatchObject({ attempt: 3, sendingEpoch: 1, retryAt: null });
      expect(rows[0]).toMatchObject({ attempt: 1, sendingEpoch: null });
      expect((await bench.jobs.laterAttempts(job, epoch)).sort((a, b) => a.position - b.position)).toEqual([
        { position: 3, attempt: 3 },
        { position: 4, attempt: 2 },
      ]);
    });

    it('is not limited by the number of attempts: the platform may throttle for days', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(1, { cursor: 2 }, { 1: { attempt: 32_767, retryAt: ago(1) } });
      const claimed = await bench.claimRetries(await bench.seen(job, epoch), epoch, 1);
      expect(claimed).toMatchObject({ recipients: [{ attempt: 32_768 }] });

      const { rows } = await bench.lock([{ jobId: job, position: 1 }]);
      await bench.jobs.save(job, rows, NOTHING);
      expect((await bench.tables.recipients(job))[0]).toMatchObject({ attempt: 32_768 });
    });

    it('reports who has opted out since the first attempt', async () => {
      const epoch = await bench.taken();
      const due = { attempt: 2, retryAt: ago(1) };
      const both = { ...due, userId: 'DE.14' };
      const job = await bench.tables.addJob(4, { cursor: 5, settledBelow: 5 }, { 1: due, 2: due, 3: due, 4: both });
      for (const person of [phoneAt(2), 'DE.14']) await bench.tables.optOut(person);
      const { recipients, optedOut } = await bench.claimRetries(await bench.seen(job, epoch), epoch, 5);

      expect(recipients.map(({ position }) => position).sort()).toEqual([1, 3]);
      expect(optedOut.map(({ position }) => position).sort()).toEqual([2, 4]);
    });

    it('claims nothing of a job that is not running or belongs to another epoch', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(1, { cursor: 2 }, { 1: { attempt: 1, retryAt: ago(1) } });
      const seen = await bench.seen(job, epoch);

      const nothing = { recipients: [], optedOut: [] };
      expect(await bench.claimRetries(seen, '0', 5)).toEqual(nothing);
      await bench.tables.change('jobs', { id: job }, { status: 'Paused' });
      expect(await bench.claimRetries(seen, epoch, 5)).toEqual(nothing);
      expect((await bench.tables.recipients(job))[0]).toMatchObject({ attempt: 1, sendingEpoch: null });
    });
  });

  describe('The end of a job', () => {
    const done = { cursor: 3, settledBelow: 3, status: 'Processing' };

    it('raises settled_below, never past the cursor, never down and only for its own epoch', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(5, { cursor: 4 });
      await bench.seen(job, epoch);

      await bench.jobs.raiseSettledBelow(job, epoch, 3);
      expect(await bench.tables.job(job)).toMatchObject({ settledBelow: 3 });
      await bench.jobs.raiseSettledBelow(job, epoch, 2);
      expect(await bench.tables.job(job)).toMatchObject({ settledBelow: 3 });
      await bench.jobs.raiseSettledBelow(job, '0', 4);
      expect(await bench.tables.job(job)).toMatchObject({ settledBelow: 3 });
      await bench.jobs.raiseSettledBelow(job, epoch, 9);
      expect(await bench.tables.job(job)).toMatchObject({ settledBelow: 4 });
    });

    it('completes a job only when everything adds up', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(2, { ...done, successfullySent: 1, failed: 1, pauseReason: 'x' });
      await bench.seen(job, epoch);
      const completes = async (changes: Parameters<typeof bench.tables.change<'jobs'>>[2], by = epoch) => {
        if (Object.keys(changes).length > 0) await bench.tables.change('jobs', { id: job }, changes);
        return bench.jobs.complete(job, by);
      };

      expect(await completes({ failed: 0 })).toBe(false);
      expect(await completes({ failed: 1, unknownInGrace: 1 })).toBe(false);
      expect(await completes({ unknownInGrace: 0, settledBelow: 2 })).toBe(false);
      expect(await completes({ settledBelow: 3 }, '0')).toBe(false);
      expect(await completes({})).toBe(true);
      expect(await bench.tables.job(job)).toMatchObject({
        status: 'Completed',
        pauseReason: null,
        completedAt: expect.anything() as Date,
      });
      expect(await completes({})).toBe(false);
    });

    it('counts unattempted recipients of a cancelled job as failed', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(9, { ...done, status: 'Cancelled', successfullySent: 2 });
      await bench.seen(job, epoch);

      expect(await bench.jobs.complete(job, epoch)).toBe(true);
      expect(await bench.tables.job(job)).toMatchObject({ status: 'Cancelled', successfullySent: 2, failed: 7 });
    });

    it('does not report a start of a job cancelled before sending', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(3, { status: 'Cancelled' });
      await bench.seen(job, epoch);
      expect(await bench.jobs.complete(job, epoch)).toBe(true);
      expect(await bench.tables.job(job)).toMatchObject({ startedAt: null, completedAt: expect.anything() as Date });
    });

    it('proves a job from its rows, over several ranges', async () => {
      const unknown: Partial<RecipientRow> = { outcome: 'Unknown', unknownSince: ago(5) };
      const job = await bench.tables.addJob(
        8,
        {},
        {
          1: { outcome: 'Sent' },
          2: { outcome: 'Sent' },
          3: { outcome: 'Failed', problem: 'x' },
          4: { outcome: 'Skipped', problem: 'opted_out' },
          5: { outcome: 'Cancelled', problem: 'cancelled' },
          6: { outcome: 'Unknown', problem: 'outcome_unknown' },
          7: unknown,
        },
      );

      expect(await bench.jobs.countOutcomes(job, 9)).toEqual({ sent: 2, failed: 4, open: 1, inGrace: 1 });
    });

    it('repairs the counters only if they are unchanged', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(2, { ...done, successfullySent: 2, failed: 2 });
      const before = await bench.seen(job, epoch);
      const proof = { sent: 1, failed: 1, open: 0, inGrace: 0 };

      expect(await bench.jobs.repair({ ...before, failed: 1 }, epoch, proof)).toBe(false);
      expect(await bench.jobs.repair(before, '0', proof)).toBe(false);
      expect(await bench.tables.job(job)).toMatchObject({ successfullySent: 2, failed: 2 });
      expect(await bench.jobs.repair(before, epoch, proof)).toBe(true);
      expect(await bench.tables.job(job)).toMatchObject({ successfullySent: 1, failed: 1, unknownInGrace: 0 });
    });

    it('pauses a running job of its own epoch, with the reason', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(2);
      await bench.seen(job, epoch);

      const stop = { final: false, problem: 'token_invalid', reason: 'The token is invalid.' };
      expect(await bench.jobs.stop(job, '0', stop)).toBe(false);
      expect(await bench.jobs.stop(job, epoch, stop)).toBe(true);
      expect(await bench.tables.job(job)).toMatchObject({
        status: 'Paused',
        pauseReason: 'The token is invalid.',
        errorCode: null,
      });
      expect(await bench.jobs.stop(job, epoch, { ...stop, reason: 'Another reason.' })).toBe(false);
      await bench.tables.change('jobs', { id: job }, { status: 'Cancelled' });
      expect(await bench.jobs.stop(job, epoch, stop)).toBe(false);
      expect(await bench.tables.job(job)).toMatchObject({ status: 'Cancelled' });
    });

    it('permanently fails a running job of its own epoch, with a code', async () => {
      const epoch = await bench.taken();
      const job = await bench.tables.addJob(2);
      await bench.seen(job, epoch);

      const stop = { final: true, problem: 'template_disabled', reason: 'The template is disabled.' };
      expect(await bench.jobs.stop(job, epoch, stop)).toBe(true);
      expect(await bench.tables.job(job)).toMatchObject({
        status: 'Failed',
        pauseReason: null,
        errorCode: 'template_disabled',
        errorMessage: 'The template is disabled.',
      });
      expect(await bench.jobs.stop(job, epoch, stop)).toBe(false);
    });
  });

  describe('The recording of answers', () => {
    it('locks jobs with the requested recipients', async () => {
      const first = await bench.tables.addJob(3, { cursor: 2, headerMedia: { link: 'https://example.com/a.png' } });
      const second = await bench.tables.addJob(1, { status: 'Cancelled', completedAt: ago(1) });
      const { now, rows } = await bench.lock([
        { jobId: second, position: 1 },
        { jobId: first, position: 3 },
        { jobId: first, position: 3 },
        { jobId: uuidV7(), position: 1 },
        { jobId: first, position: 99 },
      ]);

      expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(60_000);
      expect(rows).toHaveLength(2);
      expect(rows.find(({ jobId }) => jobId === second)!.job).toMatchObject({
        id: second,
        ended: true,
        completed: true,
      });
      const ofFirst = rows.filter(({ jobId }) => jobId === first);
      expect(ofFirst[0]!.job).toMatchObject({
        id: first,
        ended: false,
        ...{ completed: false, cursor: 2 },
        accountId: bench.tables.accountId,
        templateName: 'promo',
        languageCode: 'en_US',
        revisionId: bench.tables.revisionId,
        extras: { link: 'https://example.com/a.png' },
        reference: 'spring',
      });
      // The cursor claims the first attempt without writing the row.
      expect(ofFirst).toMatchObject([{ position: 3, rowNumber: 4, attempt: 1, parameters: ['Mira "3"'] }]);
    });

    it('writes the outcomes of recipients and clears their epoch', async () => {
      const job = await bench.tables.addJob(3, { cursor: 4 }, { 2: { sendingEpoch: 1, attempt: 2 } });
      const retryAt = ago(-3);
      await bench.unitOfWork.run(async () => {
        const at = [1, 2, 3].map((position) => ({ jobId: job, position }));
        const { rows } = await bench.jobs.lock(at);
        const [one, two, three] = rows.sort((a, b) => a.position - b.position) as [
          LockedRecipient,
          LockedRecipient,
          LockedRecipient,
        ];
        const problem = { code: 'recipient_unreachable', message: 'No "luck" \\ here', platformCode: 131026 };
        const after: RecipientState[] = [
          { ...one, outcome: 'Sent' },
          { ...two, outcome: 'Failed', problem, strikes: 3 },
          { ...three, retryAt, throttles: 2 },
        ];
        await bench.jobs.save(job, after, NOTHING);
      });

      const rows = await bench.tables.recipients(job);
      expect(rows[0]).toMatchObject({ outcome: 'Sent', attempt: 1, problem: null, problemMessage: null });
      expect(rows[1]).toMatchObject({
        outcome: 'Failed',
        attempt: 2,
        strikes: 3,
        sendingEpoch: null,
        problem: 'recipient_unreachable',
        problemMessage: 'No "luck" \\ here',
        platformCode: 131026,
      });
      expect(rows[2]).toMatchObject({ outcome: null, retryAt, throttles: 2 });
    });

    it('adds to the counters, also negative amounts', async () => {
      const job = await bench.tables.addJob(9, { failed: 2, unknown: 2, unknownInGrace: 1 });
      await bench.jobs.save(job, [], {
        successfullySent: 3,
        failed: -1,
        skipped: 0,
        unknown: -1,
        unknownInGrace: -1,
      });

      expect(await bench.tables.job(job)).toMatchObject({
        successfullySent: 3,
        failed: 1,
        unknown: 1,
        unknownInGrace: 0,
      });
    });

    it('finds unknown outcomes past their grace time, up to the limit', async () => {
      const over: Partial<RecipientRow> = { outcome: 'Unknown', attempt: 1, unknownSince: ago(901) };
      const job = await bench.tables.addJob(4, {}, { 1: over, 2: { ...over, unknownSince: ago(800) }, 3: over });
      const found = async (limit: number) => {
        const { rows } = await bench.lockWaiting(job, 'grace over', limit);
        return rows.map(({ position }) => position);
      };

      expect((await found(10)).sort()).toEqual([1, 3]);
      expect(await found(1)).toHaveLength(1);
    });
  });
});
