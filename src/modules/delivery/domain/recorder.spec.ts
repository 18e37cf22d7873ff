import { noKnownNumbers } from '../../../../test/fakes/in-memory-known-numbers';
import fc from 'fast-check';
import { EngineSendingTables, ago } from '../../../../test/support/sending-tables';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import { EngineDatabase, storeTerms } from '../../../../test/fakes/engine-database';
import type { RecipientRow } from '../../../../test/fakes/engine-rows';
import { SimulatedLaneJobStore } from '../../../../test/simulation/simulated-lane-job-store';
import { SimulatedMessageStore } from '../../../../test/simulation/simulated-message-store';
import { SimulatedTierStore } from '../../../../test/simulation/simulated-tier-store';
import { TierBudget } from '../../sending/domain/tier-budget';
import { MessageHistory } from '../../messages/domain/message-history';
import type { Answer } from '../../sending/domain/answer';
import { OUTCOME_UNKNOWN, type SendState } from '../../sending/domain/send-state';
import { LaneTelemetry } from './lane-telemetry';
import { counterChange, Recorder } from './recorder';

const accepted: Answer = { kind: 'accepted', platformMessageId: 'wamid.1' };
const refused: Answer = { kind: 'refused', scope: 'recipient', problem: 'gone', message: 'No.', platformCode: 131026 };
const unknown: Answer = { kind: 'unknown', reason: 'no answer' };
const heldBack: Answer = { kind: 'held_back', reason: 'x' };

describe('The recorder', () => {
  let clock: FakeClock;
  let database: EngineDatabase;
  let tables: EngineSendingTables;
  let recorder: Recorder;
  let failures: unknown[];

  beforeEach(() => {
    clock = new FakeClock();
    failures = [];
    database = new EngineDatabase(clock);
    tables = new EngineSendingTables(database.server);
    const telemetry = { notRecorded: (error: unknown) => failures.push(error), recorded: () => undefined };
    const terms = storeTerms('first');
    recorder = new Recorder(
      database,
      new SimulatedLaneJobStore(database, terms),
      new MessageHistory(new SimulatedMessageStore(database)),
      new TierBudget(new SimulatedTierStore(database, terms.tierWindowMs), database, noKnownNumbers()),
      clock,
      telemetry as unknown as LaneTelemetry,
    );
  });

  async function record(jobId: string, position: number, answer: Answer, attempt = 1): Promise<SendState | null> {
    const recorded = recorder.record({ jobId, position, attempt, answer });
    await clock.advance(50);
    return recorded;
  }

  const message = (id: string) => database.tables.messages.find((one) => one.id === id);

  it('leaves a recipient whose claim the database has lost to its next claim, unless the outcome is unknown', async () => {
    const job = await tables.addJob(4, { status: 'Processing', cursor: 2 });
    await record(job, 2, heldBack);
    await record(job, 3, { kind: 'throttled', scope: 'pace', message: 'Slower.', platformCode: 130429 });
    await record(job, 4, unknown);
    const untried = { attempt: 0, retryAt: null, outcome: null };
    expect((await tables.recipients(job)).slice(1)).toMatchObject([untried, untried, { outcome: 'Unknown' }]);
  });

  it('writes recipient, counters and history together', async () => {
    const job = await tables.addJob(2, { status: 'Processing', cursor: 3, headerMedia: { id: '9' } });
    const state = await record(job, 1, accepted);
    await record(job, 2, refused);

    const [one, two] = (await tables.recipients(job)) as [RecipientRow, RecipientRow];
    expect(state).toMatchObject({ outcome: 'Sent' });
    expect(one).toMatchObject({ outcome: 'Sent', problem: null });
    expect(two).toMatchObject({ outcome: 'Failed', problem: 'gone', platformCode: 131026 });
    expect(await tables.job(job)).toMatchObject({ successfullySent: 1, failed: 1 });
    expect(message(one.messageId)).toMatchObject({
      status: 'Sent',
      platformMessageId: 'wamid.1',
      contactPhone: one.phone,
      parameters: one.parameters,
      jobId: job,
      rowNumber: 2,
      reference: 'spring',
      extras: { id: '9' },
      accountId: tables.accountId,
    });
    expect(message(two.messageId)).toMatchObject({ status: 'Failed', problem: { code: 'gone' } });
  });

  it('keeps no message of an erased person, but counts it', async () => {
    const job = await tables.addJob(1, { status: 'Processing', cursor: 2 }, { 1: { phone: '', parameters: [] } });
    expect(await record(job, 1, accepted)).toMatchObject({ outcome: 'Sent' });
    expect(await tables.job(job)).toMatchObject({ successfullySent: 1 });
    expect(database.tables.messages).toEqual([]);
  });

  it('does not retry a recipient that was erased while its outcome was unknown', async () => {
    const erased: Partial<RecipientRow> = {
      phone: '',
      parameters: [],
      attempt: 1,
      outcome: 'Unknown',
      unknownSince: ago(1),
    };
    const job = await tables.addJob(1, { status: 'Processing', cursor: 2, unknownInGrace: 1 }, { 1: erased });
    const problem = { code: 'recipient_erased' };
    expect(await record(job, 1, heldBack)).toMatchObject({ outcome: 'Skipped', retryAt: null, problem });
    expect(await tables.job(job)).toMatchObject({ skipped: 1, failed: 1, unknownInGrace: 0 });
  });

  it('writes nothing of a failed batch, and everything on retry', async () => {
    const job = await tables.addJob(1, { status: 'Processing', cursor: 2 });
    database.fail('SAVE_MESSAGES', 'refused');
    const recorded = recorder.record({ jobId: job, position: 1, attempt: 1, answer: accepted });
    await clock.advance(50);
    expect(await tables.job(job)).toMatchObject({ successfullySent: 0 });
    expect((await tables.recipients(job))[0]).toMatchObject({ outcome: null });
    expect(recorder.answers.failing).toBe(true);

    await clock.advance(50);
    expect(await recorded).toMatchObject({ outcome: 'Sent' });
    expect(await tables.job(job)).toMatchObject({ successfullySent: 1 });
    expect(failures).toHaveLength(1);
  });

  it('buffers answers while the database is unavailable', async () => {
    const job = await tables.addJob(3, { status: 'Processing', cursor: 4 });
    database.isUnavailable = true;
    const recorded = [1, 2, 3].map((position) =>
      recorder.record({ jobId: job, position, attempt: 1, answer: accepted }),
    );
    await clock.advance(3_600_000);
    expect(recorder.answers.pending).toBe(3);

    database.isUnavailable = false;
    await clock.advance(1000);
    await Promise.all(recorded);
    expect(await tables.job(job)).toMatchObject({ successfullySent: 3 });
  });

  it('counts an answer once if the answer of its commit was lost', async () => {
    const job = await tables.addJob(1, { status: 'Processing', cursor: 2 });
    await record(job, 1, accepted);
    await record(job, 1, accepted);

    expect(await tables.job(job)).toMatchObject({ successfullySent: 1, failed: 0 });
  });

  it('settles several answers for one recipient in order of arrival', async () => {
    const job = await tables.addJob(1, { status: 'Processing', cursor: 2 });
    const recorded = [unknown, accepted, refused].map((answer) =>
      recorder.record({ jobId: job, position: 1, attempt: 1, answer }),
    );
    await clock.advance(50);
    await Promise.all(recorded);

    expect(await tables.job(job)).toMatchObject({ successfullySent: 1, failed: 0, unknown: 0, unknownInGrace: 0 });
    expect(message((await tables.recipients(job))[0]!.messageId)).toMatchObject({ status: 'Sent' });
  });

  it('records several jobs in one transaction', async () => {
    const jobs = [await tables.addJob(1, { cursor: 2 }), await tables.addJob(1, { cursor: 2 })];
    const before = database.commits;
    const recorded = jobs.map((jobId) => recorder.record({ jobId, position: 1, attempt: 1, answer: accepted }));
    await clock.advance(50);
    await Promise.all(recorded);

    expect(database.commits - before).toBe(1);
    for (const job of jobs) expect(await tables.job(job)).toMatchObject({ successfullySent: 1 });
  });

  it('returns null for an unknown recipient', async () => {
    const job = await tables.addJob(1);
    expect(await record(job, 9, accepted)).toBeNull();
    expect(await record('0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11', 1, accepted)).toBeNull();
  });

  it('records no message without a first answer, and an unknown one that is retried as queued', async () => {
    const job = await tables.addJob(1, { status: 'Processing', cursor: 2 });
    const { messageId } = (await tables.recipients(job))[0]!;
    await record(job, 1, heldBack);
    expect(message(messageId)).toBeUndefined();

    await tables.change('recipients', { jobId: job }, { retryAt: null, attempt: 2 });
    await record(job, 1, unknown, 2);
    expect(message(messageId)).toMatchObject({ status: 'Unknown' });
    await record(job, 1, heldBack, 2);
    expect(message(messageId)).toMatchObject({ status: 'Queued' });
    expect(await tables.job(job)).toMatchObject({ unknown: 0, unknownInGrace: 0, failed: 0 });
  });

  it('counts an outcome that is unknown after the grace time as failed, and a later proof as sent', async () => {
    const lost: Partial<RecipientRow> = { outcome: 'Unknown', attempt: 1, unknownSince: new Date(0) };
    const job = await tables.addJob(2, { cursor: 3, unknown: 2, unknownInGrace: 2 }, { 1: lost, 2: lost });
    await recorder.endGrace(job);
    expect(await tables.job(job)).toMatchObject({ failed: 2, unknown: 2, unknownInGrace: 0 });
    expect((await tables.recipients(job))[0]).toMatchObject({ problem: 'outcome_unknown', unknownSince: null });

    await record(job, 1, accepted);
    expect(await tables.job(job)).toMatchObject({ successfullySent: 1, failed: 1, unknown: 1 });
    expect(message((await tables.recipients(job))[0]!.messageId)).toMatchObject({ status: 'Sent', problem: null });
    expect(message((await tables.recipients(job))[1]!.messageId)).toMatchObject({ status: 'Failed' });
  });

  it('counts a proof for a recipient that the end of the job counted as failed', async () => {
    const ended = { status: 'Cancelled', cursor: 1, failed: 2, completedAt: ago(1) };
    const job = await tables.addJob(2, ended);
    await record(job, 1, accepted);
    expect(await tables.job(job)).toMatchObject({ successfullySent: 1, failed: 1 });
  });

  it('cancels recipients that wait for a retry in an ended job', async () => {
    const waiting: Partial<RecipientRow> = { attempt: 1, retryAt: ago(-60) };
    const job = await tables.addJob(3, { status: 'Cancelled', cursor: 3 }, { 1: waiting, 2: { outcome: 'Sent' } });
    await recorder.cancelWaiting(job);

    const rows = await tables.recipients(job);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['Cancelled', 'Sent', null]);
    expect(await tables.job(job)).toMatchObject({ failed: 1 });
  });
});

describe('counterChange', () => {
  const open: SendState = {
    attempt: 1,
    strikes: 0,
    throttles: 0,
    retryAt: null,
    unknownSince: null,
    outcome: null,
    problem: null,
  };
  const states: SendState[] = [
    open,
    { ...open, outcome: 'Sent' },
    { ...open, outcome: 'Failed', problem: OUTCOME_UNKNOWN },
    { ...open, outcome: 'Skipped', problem: OUTCOME_UNKNOWN },
    { ...open, outcome: 'Cancelled', problem: OUTCOME_UNKNOWN },
    { ...open, outcome: 'Unknown' },
    { ...open, outcome: 'Unknown', problem: OUTCOME_UNKNOWN },
  ];

  it('counts each outcome as in the status of a job', () => {
    const none = { successfullySent: 0, failed: 0, skipped: 0, unknown: 0, unknownInGrace: 0 };
    expect(states.map((after) => counterChange([{ before: open, after }]))).toEqual([
      none,
      { ...none, successfullySent: 1 },
      { ...none, failed: 1 },
      { ...none, failed: 1, skipped: 1 },
      { ...none, failed: 1 },
      { ...none, unknown: 1, unknownInGrace: 1 },
      { ...none, unknown: 1, failed: 1 },
    ]);
  });

  it('depends only on the first and the last state, so counters are never negative', () => {
    const path = fc.array(fc.constantFrom(...states), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(path, (visited) => {
        const changes = visited.map((after, index) => ({ before: visited[index - 1] ?? open, after }));
        const sum = counterChange(changes);
        expect(sum).toEqual(counterChange([{ before: open, after: visited.at(-1)! }]));
        for (const count of Object.values(sum)) expect(count).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
