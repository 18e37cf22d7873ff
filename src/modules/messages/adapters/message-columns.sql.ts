/** The problem of a message as a `MessageProblem`. */
export const PROBLEM = `CASE WHEN problem IS NOT NULL THEN
  json_build_object('code', problem, 'message', COALESCE(problem_message, ''), 'platformCode', platform_code) END AS problem`;

/** The pricing of a message as a `Pricing`. */
export const PRICING = `CASE WHEN pricing_category IS NOT NULL THEN
  json_build_object('billable', pricing_billable, 'category', pricing_category, 'type', pricing_type) END AS pricing`;

/** One column for both: header extras of a template, content of every other message. */
export const EXTRAS = `CASE WHEN type = 'Template' THEN content END AS "extras"`;
const CONTENT = `CASE WHEN type <> 'Template' THEN content END AS content`;

/** The columns of a `MessagePreview`. */
export const PREVIEW_COLUMNS = `id, type, revision_id AS "revisionId", parameters, ${CONTENT}, status`;

/** The columns of a whole `StoredMessage`. */
export const MESSAGE_COLUMNS = `${PREVIEW_COLUMNS}, account_id AS "accountId", conversation_id AS "conversationId", sender_id AS "senderId", direction,
  contact_phone AS "contactPhone", contact_user_id AS "userId", template_name AS "templateName",
  language_code AS "languageCode", ${EXTRAS}, ${PROBLEM}, platform_message_id AS "platformMessageId", reference,
  job_id AS "jobId", row_number AS "rowNumber", created_at AS "createdAt", sent_at AS "sentAt",
  delivered_at AS "deliveredAt", read_at AS "readAt", failed_at AS "failedAt", acceptance, ${PRICING}`;
