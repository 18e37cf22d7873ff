import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JsonFiles, type JsonLinesQuery, linesByTime } from '../../../infra/database/json-lines';
import { AccountArchive } from '../../accounts/domain/account-archive';

const ENDPOINT = `w.id, w.url, w.events, w.max_events AS "maxEvents", w.status, w.disabled_reason AS "disabledReason",
  w.created_at AS "createdAt"`;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** The attempts at each endpoint, oldest first; endpoints are few. */
const DELIVERIES: JsonLinesQuery = {
  sql: `
SELECT r."endpointId" || '|' || r."id" AS at, to_jsonb(r)::text AS line FROM (
  SELECT d.* FROM webhook_endpoints w CROSS JOIN LATERAL (
    SELECT id, endpoint_id AS "endpointId", key, body, replayed, events, attempt, status, http_status AS "httpStatus", error,
      duration_ms AS "durationMs", at, next_attempt_at AS "nextAttemptAt"
    FROM webhook_deliveries
    WHERE endpoint_id = w.id AND id > CASE WHEN w.id = split_part($2, '|', 1)::uuid THEN split_part($2, '|', 2)::uuid ELSE '${FIRST}' END
    ORDER BY id LIMIT $3) d
  WHERE w.account_id = $1 AND w.id >= split_part($2, '|', 1)::uuid
  ORDER BY w.id, d.id LIMIT $3) r`,
  first: `${FIRST}|${FIRST}`,
};

const FILES = {
  'webhook-endpoints.jsonl': linesByTime({ columns: ENDPOINT, table: 'webhook_endpoints', alias: 'w' }),
  'webhook-deliveries.jsonl': DELIVERIES,
};

/** The webhook endpoints of an account, without their secrets, and the log of their deliveries, in its archive. */
@Injectable()
export class AccountEndpoints {
  constructor(database: Database, archive: AccountArchive) {
    archive.add(new JsonFiles(database, FILES));
  }
}
