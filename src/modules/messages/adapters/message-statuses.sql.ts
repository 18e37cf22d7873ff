import { prepared } from '../../../infra/database/prepared-statement';
import { PRICING, PROBLEM } from './message-columns.sql';
import { EVENT_COLUMNS, WRITE_EVENTS } from './message-events.sql';

const COLUMNS = `m.id, account_id AS "accountId", job_id AS "jobId", platform_message_id AS "platformMessageId", status, ${PROBLEM},
  sent_at AS "sentAt", delivered_at AS "deliveredAt", read_at AS "readAt", failed_at AS "failedAt", ${PRICING}`;

export const BY_IDS = prepared(`
SELECT ${COLUMNS} FROM unnest($1::uuid[]) AS named (id) JOIN messages m ON m.id = named.id`);

/** $1 platform ids, $2 the lowest id of the searched months. */
export const BY_PLATFORM_IDS = `
SELECT ${COLUMNS} FROM messages m WHERE platform_message_id = ANY($1::text[]) AND id >= $2::uuid`;

export const LOCK = prepared(`${BY_IDS} ORDER BY m.id FOR UPDATE OF m`);

/** Saves reported statuses with their events. */
export const SAVE = prepared(`
WITH saved AS (
UPDATE messages m SET status = r.status, problem = r.problem, problem_message = r.problem_message,
  platform_code = r.platform_code, delivered_at = r.delivered_at, read_at = r.read_at, failed_at = r.failed_at,
  pricing_billable = r.billable, pricing_category = r.category, pricing_type = r.type
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[], $6::timestamptz[], $7::timestamptz[],
  $8::timestamptz[], $9::text[], $10::boolean[], $11::text[], $12::text[])
  AS r (id, status, problem, problem_message, platform_code, delivered_at, read_at, failed_at, event_types, billable, category, type)
WHERE m.id = r.id
RETURNING ${EVENT_COLUMNS('m')}, string_to_array(r.event_types, ',') AS event_types),
${WRITE_EVENTS}`);
