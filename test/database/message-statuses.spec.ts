import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { StatusReports } from '../../src/modules/platform-webhook/domain/status-reports';
import type { ReportedStatus, StatusUpdate } from '../../src/modules/messages/domain/status-update';
import { JobStatusStore } from '../../src/modules/delivery/domain/job-status-store.port';
import { Recorder } from '../../src/modules/delivery/domain/recorder';
import { OUTCOME_UNKNOWN } from '../../src/modules/sending/domain/send-state';
import { SenderSignal } from '../../src/modules/sending/domain/sender-signal';
import type { RecipientRow } from '../fakes/engine-rows';
import { describeOnDatabase } from '../support/databases';
import { ago, SqlSendingTables } from '../support/sending-tables';
import { statusParts } from '../support/status-parts';

interface MessageRow {
  status: string;
  problem: string | null;
  platform_code: number | null;
  platform_message_id: string | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
}

const DAY_SECONDS = 86_400;
const UNKNOWN: Partial<RecipientRow> = { outcome: 'Unknown', attempt: 1, unknownSince: ago(5) };
const UNKNOWN_TO_THE_END: Partial<RecipientRow> = {
  outcome: 'Unknown',
  attempt: 1,
  problem: OUTCOME_UNKNOWN.code,
  problemMessage: OUTCOME_UNKNOWN.message,
};

describeOnDatabase('Statuses of the platform', (open) => {
  let database: Database;
  let statuses: StatusReports;
  let jobStatuses: JobStatusStore;
  let recorder: Recorder;
  let tables: SqlSendingTables;
  let runnable: string[];

  beforeAll(async () => {
    database = await open();
    const parts = await statusParts(database).compile();
    recorder = parts.get(Recorder);
    jobStatuses = parts.get(JobStatusStore);
    statuses = parts.get(StatusReports);
    parts.get(SenderSignal).onRunnable((senderId) => runnable.push(senderId));
  });

  beforeEach(async () => {
    runnable = [];
    tables = new SqlSendingTables(database);
    await tables.addSender();
  });

  /** A status of the tables' own sender. */
  function update(status: ReportedStatus, fields: Partial<StatusUpdate> = {}): StatusUpdate {
    const problem =
      status === 'failed' ? { code: 'recipient_unreachable', message: 'No.', platformCode: 131026 } : null;
    return {
      accountId: tables.accountId,
      senderId: tables.senderId,
      platformMessageId: 'wamid.1',
      status,
      at: ago(1),
      callbackData: null,
      recipient: null,
      problem,
      scope: status === 'failed' ? 'recipient' : null,
      ...fields,
    };
  }

  const callbackOf = ({ messageId, jobId, position }: RecipientRow, attempt = 1) =>
    `${messageId}.${attempt}.${jobId}.${position}`;
  const recipientOf = async (jobId: string, position = 1) => (await tables.recipients(jobId))[position - 1]!;
  const message = async (id: string) =>
    (await database.rows<MessageRow>('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const countsOf = async (jobId: string) => {
    const { successfullySent, failed, unknown, unknownInGrace } = await tables.job(jobId);
    return { successfullySent, failed, unknown, unknownInGrace };
  };
  const statusCountsOf = async (id: string) =>
    (await database.rows('SELECT delivered, read, undelivered FROM bulk_jobs WHERE id = $1', [id]))[0];

  /** A job of one recipient, accepted by the platform as `wamid.1`; returns the recipient. */
  async function accepted(count = 1): Promise<RecipientRow[]> {
    const jobId = await tables.addJob(count, { status: 'Processing', cursor: count + 1 });
    await recorder.recordNow(
      Array.from({ length: count }, (_, index) => ({
        jobId,
        position: index + 1,
        attempt: 1,
        answer: { kind: 'accepted', platformMessageId: `wamid.${index + 1}` },
      })),
    );
    return tables.recipients(jobId);
  }

  /** The id of a single message in a state. */
  async function single(state: Parameters<SqlSendingTables['addSingle']>[0], id = uuidV7()): Promise<string> {
    await tables.addSingle({ ...state, messageId: id });
    await database.execute(
      `INSERT INTO messages (id, account_id, conversation_id, direction, type, contact_phone, status, created_at)
       VALUES ($1, $2, $2, 'Outbound', 'template', '491511234567', 'Unknown', now())`,
      [id, tables.accountId],
    );
    return id;
  }

  describe('settle a recipient', () => {
    it('in flight', async () => {
      const jobId = await tables.addJob(1, { status: 'Processing', cursor: 2 });
      const before = await recipientOf(jobId);
      await statuses.apply([update('sent', { callbackData: callbackOf(before), platformMessageId: 'wamid.7' })]);

      expect(await recipientOf(jobId)).toMatchObject({ outcome: 'Sent', problem: null, attempt: 1 });
      expect(await message(before.messageId)).toMatchObject({ status: 'Sent', platform_message_id: 'wamid.7' });
      expect(await countsOf(jobId)).toMatchObject({ successfullySent: 1, failed: 0 });
    });

    it('with an unknown outcome, and report that its lane may end the job', async () => {
      const job = { status: 'Processing', cursor: 2, settledBelow: 2, unknown: 1, unknownInGrace: 1 };
      const jobId = await tables.addJob(1, job, { 1: UNKNOWN });
      await statuses.apply([update('delivered', { callbackData: callbackOf(await recipientOf(jobId)) })]);

      expect(await recipientOf(jobId)).toMatchObject({ outcome: 'Sent', unknownSince: null });
      expect(await countsOf(jobId)).toEqual({ successfullySent: 1, failed: 0, unknown: 0, unknownInGrace: 0 });
      expect(runnable).toEqual([tables.senderId]);
    });

    it('that counted as failed after the grace time, even if its job has ended', async () => {
      const job = { status: 'Completed', cursor: 2, settledBelow: 2, unknown: 1, failed: 1, completedAt: ago(60) };
      const jobId = await tables.addJob(1, job, { 1: UNKNOWN_TO_THE_END });
      const { messageId } = await recipientOf(jobId);
      await statuses.apply([update('read', { callbackData: callbackOf(await recipientOf(jobId)) })]);

      expect(await recipientOf(jobId)).toMatchObject({ outcome: 'Sent', problem: null });
      expect(await countsOf(jobId)).toEqual({ successfullySent: 1, failed: 0, unknown: 0, unknownInGrace: 0 });
      expect(await message(messageId)).toMatchObject({ status: 'Read', problem: null });
    });

    it('that waits for another attempt, by a proof of an earlier one', async () => {
      const jobId = await tables.addJob(
        1,
        { status: 'Processing', cursor: 2, settledBelow: 2 },
        { 1: { attempt: 2, retryAt: ago(-60) } },
      );
      await statuses.apply([update('sent', { callbackData: callbackOf(await recipientOf(jobId), 1) })]);

      expect(await recipientOf(jobId)).toMatchObject({ outcome: 'Sent', retryAt: null, attempt: 2 });
    });

    it('that was accepted and then not delivered: sent, and undelivered', async () => {
      const job = { status: 'Processing', cursor: 2, settledBelow: 2, unknown: 1, unknownInGrace: 1 };
      const jobId = await tables.addJob(1, job, { 1: UNKNOWN });
      const { messageId } = await recipientOf(jobId);
      await statuses.apply([update('failed', { callbackData: callbackOf(await recipientOf(jobId)) })]);
      await jobStatuses.foldDeltas(100);

      expect(await recipientOf(jobId)).toMatchObject({ outcome: 'Sent', problem: null });
      expect(await message(messageId)).toMatchObject({
        status: 'Undelivered',
        problem: 'recipient_unreachable',
        platform_code: 131026,
        platform_message_id: 'wamid.1',
      });
      expect(await statusCountsOf(jobId)).toEqual({ delivered: 0, read: 0, undelivered: 1 });
    });

    it('once, for any number of proofs', async () => {
      const jobId = await tables.addJob(1, { status: 'Processing', cursor: 2 });
      const callbackData = callbackOf(await recipientOf(jobId));
      await statuses.apply([update('sent', { callbackData }), update('delivered', { callbackData })]);
      await statuses.apply([update('sent', { callbackData }), update('delivered', { callbackData })]);

      expect(await countsOf(jobId)).toMatchObject({ successfullySent: 1, failed: 0 });
    });

    it('only if the callback data matches', async () => {
      const jobId = await tables.addJob(2, { status: 'Processing', cursor: 3 });
      const [first, second] = (await tables.recipients(jobId)) as [RecipientRow, RecipientRow];
      const { unmatched } = await statuses.apply([
        update('sent', { callbackData: callbackOf(first), senderId: uuidV7() }),
        update('sent', { callbackData: callbackOf({ ...first, messageId: second.messageId }) }),
        update('delivered', { callbackData: callbackOf({ ...first, jobId: uuidV7(), messageId: uuidV7() }) }),
        update('delivered', { callbackData: 'job=8f2c;row=412;attempt=1', platformMessageId: 'wamid.of.nobody' }),
        update('delivered', { callbackData: null, platformMessageId: 'wamid.of.nobody.either' }),
      ]);

      expect((await tables.recipients(jobId)).map(({ outcome }) => outcome)).toEqual([null, null]);
      expect(unmatched).toBe(3);
    });

    it('not if the platform had refused it permanently', async () => {
      const failed: Partial<RecipientRow> = { outcome: 'Failed', attempt: 1, problem: 'parameter_invalid' };
      const jobId = await tables.addJob(1, { status: 'Processing', cursor: 2, failed: 1 }, { 1: failed });
      await statuses.apply([update('delivered', { callbackData: callbackOf(await recipientOf(jobId)) })]);

      expect(await recipientOf(jobId)).toMatchObject({ outcome: 'Failed' });
      expect(await countsOf(jobId)).toMatchObject({ successfullySent: 0, failed: 1 });
    });

    it('never of a job that is still being stored', async () => {
      const jobId = await tables.addJob(1, { status: 'Importing' });
      await statuses.apply([update('sent', { callbackData: callbackOf(await recipientOf(jobId)) })]);

      expect(await recipientOf(jobId)).toMatchObject({ outcome: null });
    });
  });

  describe('settle a single send', () => {
    it('with an unknown outcome, in its row and in the history', async () => {
      const id = await single({ attempt: 1, outcome: 'Unknown', retryAt: null, unknownSince: ago(5) });
      await statuses.apply([update('delivered', { callbackData: `${id}.1` })]);

      expect(await tables.single(id)).toMatchObject({ outcome: 'Sent', unknownSince: null });
      expect(await message(id)).toMatchObject({ status: 'Delivered', platform_message_id: 'wamid.1' });
    });

    it('in flight', async () => {
      const id = await single({ attempt: 1, retryAt: null, giveUpAt: ago(-5) });
      await statuses.apply([update('sent', { callbackData: `${id}.1` })]);

      expect(await tables.single(id)).toMatchObject({ outcome: 'Sent', giveUpAt: null });
    });

    it('of no other message', async () => {
      const id = await single({ attempt: 1, outcome: 'Unknown', retryAt: null, unknownSince: ago(5) });
      const otherAccount = { senderId: uuidV7(), accountId: uuidV7() };
      await statuses.apply([update('delivered', { callbackData: `${id}.1`, ...otherAccount })]);

      expect(await tables.single(id)).toMatchObject({ outcome: 'Unknown' });
      expect(await message(id)).toMatchObject({ status: 'Unknown', delivered_at: null });
    });
  });

  describe('change a message', () => {
    it('up to Read, with the times from the platform', async () => {
      const [recipient] = (await accepted()) as [RecipientRow];
      const callbackData = callbackOf(recipient);
      const at = new Date(Math.floor(Date.now() / 1000) * 1000 + 60_000);
      await statuses.apply([update('delivered', { callbackData, at })]);
      await statuses.apply([update('read', { callbackData, at: new Date(at.getTime() + 5000) })]);

      expect(await message(recipient.messageId)).toMatchObject({
        status: 'Read',
        delivered_at: at,
        read_at: new Date(at.getTime() + 5000),
        failed_at: null,
      });
    });

    it('found by the platform’s id without usable callback data', async () => {
      const [first, second] = (await accepted(2)) as [RecipientRow, RecipientRow];
      await statuses.apply([
        update('delivered', { platformMessageId: 'wamid.1' }),
        update('delivered', { platformMessageId: 'wamid.2', callbackData: 'sent by another system' }),
      ]);

      expect(await message(first.messageId)).toMatchObject({ status: 'Delivered' });
      expect(await message(second.messageId)).toMatchObject({ status: 'Delivered' });
    });

    it('by the platform’s id only for 35 days, and only in its own account', async () => {
      const old = uuidV7(Date.now() - 36 * DAY_SECONDS * 1000);
      const recent = uuidV7(Date.now() - 34 * DAY_SECONDS * 1000);
      for (const id of [old, recent]) {
        await single({ attempt: 1, outcome: 'Sent', retryAt: null }, id);
        await database.execute(
          `UPDATE messages SET status = 'Sent', sent_at = now(), platform_message_id = $2 WHERE id = $1`,
          [id, `wamid.${id}`],
        );
      }
      const foreign = update('read', { platformMessageId: `wamid.${recent}`, accountId: uuidV7() });
      const { unmatched } = await statuses.apply([
        update('delivered', { platformMessageId: `wamid.${old}` }),
        update('delivered', { platformMessageId: `wamid.${recent}` }),
        foreign,
      ]);

      expect((await message(old))?.status).toBe('Sent');
      expect((await message(recent))?.status).toBe('Delivered');
      expect(unmatched).toBe(2);
    });

    it('never backwards, and never from failed to sent', async () => {
      const [recipient] = (await accepted()) as [RecipientRow];
      const callbackData = callbackOf(recipient);
      await statuses.apply([update('failed', { callbackData }), update('sent', { callbackData })]);
      expect(await message(recipient.messageId)).toMatchObject({ status: 'Undelivered' });

      await statuses.apply([update('read', { callbackData })]);
      await statuses.apply([update('failed', { callbackData }), update('delivered', { callbackData })]);
      expect(await message(recipient.messageId)).toMatchObject({ status: 'Read', problem: null, failed_at: null });
    });

    it('under concurrent batches', async () => {
      const recipients = await accepted(20);
      const batches = (['sent', 'delivered', 'read', 'failed', 'delivered', 'read'] as const).map((status, index) =>
        (index % 2 === 0 ? recipients : recipients.toReversed()).map((recipient) =>
          update(status, { callbackData: callbackOf(recipient) }),
        ),
      );
      await Promise.all(batches.map((batch) => statuses.apply(batch)));
      await jobStatuses.foldDeltas(100);

      const states = await Promise.all(recipients.map(async ({ messageId }) => (await message(messageId))?.status));
      expect(new Set(states)).toEqual(new Set(['Read']));
      expect(await statusCountsOf(recipients[0]!.jobId)).toEqual({ delivered: 20, read: 20, undelivered: 0 });
    });
  });

  describe('are counted', () => {
    it('once per message, however often and in any order', async () => {
      const [first, second, third] = (await accepted(3)) as [RecipientRow, RecipientRow, RecipientRow];
      const of = (status: ReportedStatus, recipient: RecipientRow) =>
        update(status, { callbackData: callbackOf(recipient) });
      await statuses.apply([of('delivered', first), of('delivered', first), of('read', second)]);
      await statuses.apply([of('delivered', second), of('delivered', first), of('failed', third)]);
      await jobStatuses.foldDeltas(100);
      await jobStatuses.foldDeltas(100);

      expect(await statusCountsOf(first.jobId)).toEqual({ delivered: 2, read: 1, undelivered: 1 });
    });
  });

  it('pause exactly the job whose every message would fail the same way', async () => {
    const problem = { code: 'payment_problem', message: 'No payment', platformCode: 131042 };
    const [recipient] = (await accepted()) as [RecipientRow];
    const [other] = (await accepted()) as [RecipientRow];
    const failed = update('failed', { callbackData: callbackOf(recipient), problem, scope: 'job' });
    const statusOf = async ({ jobId }: RecipientRow) => (await tables.job(jobId)).status;
    await statuses.apply([failed, update('failed', { callbackData: callbackOf(other) })]);
    while ((await statusOf(recipient)) !== 'Paused') await new Promise((done) => setTimeout(done, 10));

    expect(await statusOf(other)).toBe('Processing');
    await database.execute(`UPDATE bulk_jobs SET status = 'Processing' WHERE id = $1`, [recipient.jobId]);
    await statuses.apply([failed]);
    await new Promise((done) => setTimeout(done, 100));
    expect(await statusOf(recipient)).toBe('Processing');
  });

  it('are applied completely or not at all', async () => {
    const [recipient] = (await accepted()) as [RecipientRow];
    // No column can hold this code.
    const problem = { code: 'odd', message: 'Odd.', platformCode: 2 ** 40 };
    const poison = update('failed', { callbackData: callbackOf(recipient), problem });
    const jobId = await tables.addJob(1, { status: 'Processing', cursor: 2 });
    const open = update('sent', { callbackData: callbackOf(await recipientOf(jobId)) });

    await expect(statuses.apply([open, poison])).rejects.toThrow();
    expect(await recipientOf(jobId)).toMatchObject({ outcome: null });
    expect(await message(recipient.messageId)).toMatchObject({ status: 'Sent' });
  });
});
