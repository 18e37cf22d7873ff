import { CANCELLED } from '../../sending/domain/send-state';
import { isInvalid } from './job-failures.sql';

/**
 * Recipients that the platform did not accept or did not deliver: $1 job, $2 and $3 first and last position, $4 the first position
 * never tried because the job was cut short, $5 whether it was, $6 whether messages of the job were not delivered. Recipients that
 * wait for a retry in a job cut short count as cancelled, even before their rows are updated.
 */
export const SELECT_UNSENT = `
SELECT r.row_number AS "rowNumber", r.phone AS person, r.user_id AS "userId", r.parameters, r.extras AS own, r.reference,
  r.other_cells AS "otherCells", status,
  CASE WHEN ${isInvalid('r')} THEN 'Invalid' WHEN r.phone = '' THEN 'Erased' ELSE status END AS reason,
  coalesce(r.problem, undelivered_problem, CASE WHEN status = 'Cancelled' THEN '${CANCELLED.code}' END) AS "errorCode"
FROM (SELECT j.*, m.problem AS undelivered_problem, CASE
    WHEN outcome = 'Unknown' AND j.problem IS NULL THEN 'Unsettled'
    WHEN outcome IS NOT NULL THEN coalesce(m.status, outcome)
    WHEN position >= $4::int OR ($5::boolean AND retry_at IS NOT NULL) THEN 'Cancelled'
    ELSE 'Unsettled' END AS status
  FROM job_recipients j
  LEFT JOIN LATERAL (
    SELECT status, problem FROM messages
    WHERE $6::boolean AND id = j.message_id AND j.outcome = 'Sent' AND status = 'Undelivered' OFFSET 0
  ) m ON true
  WHERE job_id = $1 AND position BETWEEN $2 AND $3 AND (outcome IS DISTINCT FROM 'Sent' OR m.status IS NOT NULL)) r
ORDER BY r.position`;

/** The other recipients, and those whose outcome is unknown: the job reached them, may still do so, or may have done so. The same parameters. */
export const SELECT_REACHED = `
SELECT r.phone FROM job_recipients r
LEFT JOIN LATERAL (
  SELECT 1 AS failed FROM messages
  WHERE $6::boolean AND id = r.message_id AND r.outcome = 'Sent' AND status = 'Undelivered' OFFSET 0
) undelivered ON true
WHERE job_id = $1 AND position BETWEEN $2 AND $3 AND phone <> '' AND failed IS NULL AND CASE
  WHEN outcome IS NULL THEN position < $4::int AND NOT ($5::boolean AND retry_at IS NOT NULL)
  ELSE outcome IN ('Sent', 'Unknown') END`;
