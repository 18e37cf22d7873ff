import { prepared } from '../../../infra/database/prepared-statement';

/** Only the history has the message text of a problem. */
const COLUMNS = `message_id AS "messageId", sender_id AS "senderId", attempt, strikes, throttles, retry_at AS "retryAt",
  unknown_since AS "unknownSince", outcome, valid_until AS "validUntil",
  needs_room AS "needsRoom",
  CASE WHEN problem IS NOT NULL THEN jsonb_build_object('code', problem, 'message', '', 'platformCode', NULL) END AS problem`;

/** Due sends of the sender $1. */
const DUE =
  'sender_id = $1 AND NOT needs_room AND retry_at <= statement_timestamp() AND valid_until > statement_timestamp()';

/** Held sends of the sender $1 that are due to request room in the messaging tier. */
const HELD = 'sender_id = $1 AND needs_room AND retry_at <= statement_timestamp()';

/** The same of one of several senders. */
const ofSender = (condition: string): string => condition.replace('$1', 'l.sender');

const GRACE_OVER = `unknown_since < statement_timestamp() - $1 * interval '1 ms'`;

/** $5: ms after which the request is given up. */
export const INSERT = prepared(`
INSERT INTO single_sends (message_id, sender_id, attempt, retry_at, give_up_at, valid_until, needs_room, created_by, request_id, traceparent)
SELECT id, sender, attempt, CASE WHEN attempt = 0 THEN GREATEST(clock_timestamp(), CASE WHEN needs_room THEN retry_at END) END,
  CASE WHEN attempt > 0 THEN clock_timestamp() + $5 * interval '1 ms' END, valid_until, needs_room, created_by, request, trace
FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::timestamptz[], $6::timestamptz[], $7::boolean[], $8::uuid[], $9::text[], $10::text[])
  AS s (id, sender, attempt, valid_until, retry_at, needs_room, created_by, request, trace)`);

export const UNSETTLED = prepared(`
SELECT message_id AS "messageId", sender_id AS "senderId" FROM single_sends
WHERE message_id = ANY($1::uuid[]) AND (outcome IS NULL OR outcome = 'Unknown')`);

/** $1 senders. */
export const ANY_DUE = prepared(`
SELECT l.sender AS "senderId",
  (SELECT true FROM single_sends WHERE ${ofSender(DUE)} ORDER BY retry_at LIMIT 1) IS NOT NULL AS "toSend",
  (SELECT true FROM single_sends WHERE ${ofSender(HELD)} ORDER BY retry_at LIMIT 1) IS NOT NULL AS "toRequestRoom"
FROM unnest($1::uuid[]) AS l (sender)`);

export const LOCK_HELD = prepared(`
SELECT ${COLUMNS} FROM single_sends WHERE ${HELD} ORDER BY retry_at LIMIT $2 FOR UPDATE SKIP LOCKED`);

export const REQUIRE_ROOM = prepared(`
UPDATE single_sends SET needs_room = true WHERE message_id = ANY(ARRAY(
  SELECT message_id FROM single_sends WHERE ${DUE} ORDER BY retry_at LIMIT 5000 FOR UPDATE SKIP LOCKED))`);

export const LOCK = prepared(`
SELECT ${COLUMNS}, clock_timestamp() AS now FROM single_sends
WHERE message_id = ANY($1::uuid[]) ORDER BY message_id FOR UPDATE`);

/** Saves locked sends. */
export const SAVE = `
UPDATE single_sends SET strikes = s.strikes, throttles = s.throttles, retry_at = s.retry_at,
  unknown_since = s.unknown_since, outcome = s.outcome, problem = s.problem, needs_room = s.needs_room,
  sending_epoch = NULL, give_up_at = NULL
FROM unnest($1::uuid[], $2::smallint[], $3::smallint[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::text[],
  $8::boolean[]) AS s (id, strikes, throttles, retry_at, unknown_since, outcome, problem, needs_room)
WHERE message_id = s.id`;

/** $1 sender, $2 epoch, $3 limit, $4 ms after which the request is given up. */
export const CLAIM_DUE = prepared(`
UPDATE single_sends SET attempt = attempt + 1, sending_epoch = $2, retry_at = NULL,
  give_up_at = clock_timestamp() + $4 * interval '1 ms'
WHERE message_id = ANY(ARRAY(
  SELECT message_id FROM single_sends WHERE ${DUE} ORDER BY retry_at LIMIT $3 FOR UPDATE SKIP LOCKED))
RETURNING ${COLUMNS}, traceparent`);

export const LOCK_STRANDED = `
SELECT ${COLUMNS}, clock_timestamp() AS now FROM single_sends
WHERE sender_id = $1 AND sending_epoch < $2 AND outcome IS NULL ORDER BY message_id FOR UPDATE`;

/** Open sends of all senders, at most $1: waiting ones have retry_at, those in flight give_up_at. */
export const LOCK_OPEN = `
SELECT ${COLUMNS}, clock_timestamp() AS now FROM single_sends
WHERE message_id = ANY(ARRAY(
    (SELECT message_id FROM single_sends WHERE retry_at IS NOT NULL ORDER BY valid_until LIMIT $1)
    UNION (SELECT message_id FROM single_sends WHERE give_up_at IS NOT NULL ORDER BY give_up_at LIMIT $1)))
  AND outcome IS NULL
ORDER BY message_id LIMIT $1 FOR UPDATE`;

/** Sends past their give-up, validity or grace time: $1 grace in ms, $2 limit of each. */
export const LOCK_OVERDUE = prepared(`
SELECT ${COLUMNS}, clock_timestamp() AS now FROM single_sends
WHERE message_id = ANY(ARRAY(
    (SELECT message_id FROM single_sends WHERE give_up_at < statement_timestamp() ORDER BY give_up_at LIMIT $2)
    UNION (SELECT message_id FROM single_sends
      WHERE retry_at IS NOT NULL AND valid_until < statement_timestamp() ORDER BY valid_until LIMIT $2)
    UNION (SELECT message_id FROM single_sends WHERE ${GRACE_OVER} ORDER BY unknown_since LIMIT $2)))
  AND (give_up_at < statement_timestamp() OR (retry_at IS NOT NULL AND valid_until < statement_timestamp()) OR ${GRACE_OVER})
ORDER BY message_id LIMIT $2 FOR UPDATE SKIP LOCKED`);
