import { SendersService } from '../../../src/modules/accounts/domain/senders.service';
import { WebhookIntake } from '../../../src/modules/platform-webhook/domain/webhook-intake';
import { Recorder } from '../../../src/modules/delivery/domain/recorder';
import { SingleSends } from '../../../src/modules/sending/domain/single-sends';
import { uuidV7 } from '../../../src/kernel/uuid';
import { bodyOf, signatureOf, statusOf } from '../process/webhook';
import { ago, phoneAt, type SqlSendingTables } from '../sending-tables';
import { eventsOf, newTables, removeOthers, type Scenario } from './scenario';
import type { SteppedService } from './stepped-service';

const IN_FLIGHT = { attempt: 1, retryAt: null, giveUpAt: ago(-60) } as const;
const REFUSED = {
  ...({ kind: 'refused', scope: 'recipient', problem: 'recipient_unreachable' } as const),
  ...{ message: 'No way.', platformCode: 131026 },
};

function accepted(platformMessageId: string) {
  return { kind: 'accepted', platformMessageId } as const;
}

/** The records of the account's messages and job, and their events. */
async function sendingOf(service: SteppedService, tables: SqlSendingTables, jobId: string | null): Promise<object> {
  const [counts] = await service.database.rows(
    `SELECT (SELECT json_agg(m ORDER BY m.status, m.direction) FROM (SELECT status, direction, count(*)::int FROM messages
        WHERE account_id = $1 GROUP BY 1, 2) m) AS messages,
       (SELECT json_build_object('count', count(*), 'unread', sum(unread_count)) FROM conversations WHERE account_id = $1) AS conversations,
       (SELECT count(*)::int FROM opt_outs WHERE account_id = $1) AS opt_outs,
       (SELECT json_build_object('sent', sum(sent), 'delivered', sum(delivered), 'failed', sum(failed), 'received', sum(received))
        FROM activity_deltas WHERE account_id = $1) AS activity,
       (SELECT json_build_object('delivered', sum(delivered), 'undelivered', sum(undelivered)) FROM job_status_deltas
        WHERE job_id = $2) AS deltas,
       (SELECT json_build_object('sent', successfully_sent, 'failed', failed, 'unknown', unknown) FROM bulk_jobs WHERE id = $2) AS job`,
    [tables.accountId, jobId],
  );
  return { ...(counts as object), events: await eventsOf(service, tables) };
}

/** Sending, and reports of the platform. */
export const SENDING_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'the sweep of lanes and the end of long waits': {
    loops: ['lane_sweep'],
    async prepare(service) {
      await removeOthers(service);
      const tables = await newTables(service);
      const messageId = await tables.addSingle({ attempt: 1, retryAt: null, giveUpAt: ago(1) });
      return {
        laterRounds: 1,
        outcome: async () => [(await tables.single(messageId)).outcome, await eventsOf(service, tables)],
      };
    },
  },
  'the answers to messages of jobs': {
    loops: [],
    writers: ['recipient_answers'],
    async prepare(service) {
      const tables = await newTables(service);
      const jobId = await tables.addJob(3, { status: 'Processing', cursor: 4, startedAt: ago(1) });
      const recipients = await tables.recipients(jobId);
      const answers = [accepted('wamid.1'), accepted('wamid.2'), REFUSED];
      return {
        async work() {
          const attempts = recipients.map(({ position }) => ({
            jobId,
            position,
            attempt: 1,
            answer: answers[position - 1]!,
          }));
          await Promise.all(attempts.map((attempt) => service.get(Recorder).record(attempt)));
        },
        outcome: () => sendingOf(service, tables, jobId),
      };
    },
  },
  'the answers to single messages': {
    loops: [],
    writers: ['single_send_answers'],
    async prepare(service) {
      const tables = await newTables(service);
      const messageIds = [await tables.addSingle(IN_FLIGHT), await tables.addSingle(IN_FLIGHT)];
      for (const id of messageIds) {
        await service.database.execute(
          `INSERT INTO messages (id, account_id, conversation_id, contact_phone, direction, type, status, created_at)
           VALUES ($1, $2, $1, '491510000001', 'Outbound', 'Template', 'Queued', now())`,
          [id, tables.accountId],
        );
      }
      const answers = [accepted('wamid.3'), REFUSED];
      return {
        async work() {
          const attempts = messageIds.map((messageId, n) => ({ messageId, attempt: 1, answer: answers[n]! }));
          await Promise.all(attempts.map((attempt) => service.get(SingleSends).record(attempt)));
        },
        outcome: () => sendingOf(service, tables, null),
      };
    },
  },
  'what the platform reports': {
    loops: [],
    async prepare(service) {
      const { database } = service;
      await removeOthers(service);
      await database.execute('DELETE FROM activity_deltas');
      const tables = await newTables(service);
      const number = { phoneNumberId: String(Date.now()), businessAccountId: '2' };
      await database.execute('UPDATE senders SET phone_number_id = $2 WHERE id = $1', [
        tables.senderId,
        number.phoneNumberId,
      ]);
      service.get(SendersService).forget();
      const begun = { attempt: 1, sendingEpoch: null, outcome: 'Unknown', unknownSince: new Date() } as const;
      const running = { status: 'Processing', cursor: 4, settledBelow: 4, unknown: 3, unknownInGrace: 3 };
      const jobId = await tables.addJob(3, running, { 1: begun, 2: begun, 3: begun });
      const statuses = (await tables.recipients(jobId)).flatMap(({ messageId, position }) => {
        const entry = { messageId: `wamid.${messageId}`, callbackData: `${messageId}.1.${jobId}.${position}` };
        const last = position === 3 ? 'failed' : 'delivered';
        return [statusOf(entry, 'sent'), statusOf(entry, last)];
      });
      const from = phoneAt(50);
      const content = { type: 'text', text: { body: 'STOP' }, timestamp: String(Math.floor(Date.now() / 1000)) };
      const value = {
        messaging_product: 'whatsapp',
        metadata: { phone_number_id: number.phoneNumberId },
        contacts: [{ wa_id: from, profile: { name: 'Ann' } }],
        messages: [{ from, id: `wamid.${uuidV7()}`, ...content }],
        statuses,
      };
      const body = bodyOf([{ id: number.businessAccountId, changes: [{ field: 'messages', value }] }]);
      const request = { body: Buffer.from(body), headers: { 'x-hub-signature-256': signatureOf(body) } };
      return {
        work: () => service.get(WebhookIntake).receive(request),
        outcome: () => sendingOf(service, tables, jobId),
      };
    },
  },
};
