/** How a fault is documented: its status, when it happens, and its extra fields by example. */
export interface DocumentedFault {
  status: number;
  when: string;
  extra?: Record<string, unknown>;
}

const ROWS_REFUSED = {
  errors: [
    { rowNumber: 17, field: 'phone', code: 'phone_invalid', message: 'Write the number in international format.' },
  ],
  totalRecipients: 1,
  invalidRows: 1,
  duplicateRows: 0,
};

/** Every fault that the API answers, by its stable code: the one source of the error documentation. */
export const FAULTS = {
  malformed_json: { status: 400, when: 'The body is not valid JSON.' },
  validation_failed: {
    status: 400,
    when: 'A field is missing, wrong or unknown: all faults of form are listed; where there is none, all of content.',
    extra: { errors: [{ field: 'to', code: 'required', message: 'to is required.' }] },
  },
  file_required: { status: 400, when: 'The upload has no file.' },
  file_empty: { status: 400, when: 'The file is empty, or has no row with a recipient.' },
  unauthorized: { status: 401, when: 'No API key, or one that is unknown, expired or revoked.' },
  missing_scope: { status: 403, when: 'The key lacks the scope.', extra: { requiredScope: 'messaging:send' } },
  account_suspended: { status: 403, when: 'The operator suspended the account.' },
  route_not_found: { status: 404, when: 'No endpoint has this method and path.' },
  template_not_found: { status: 404, when: 'No template has this name or id.' },
  template_language_not_found: {
    status: 404,
    when: 'The template exists, but not in this language.',
    extra: { availableLanguages: ['en_US', 'de'] },
  },
  job_not_found: { status: 404, when: 'No job of the account has this id.' },
  group_not_found: { status: 404, when: 'No contact group of the account has this id.' },
  contact_not_found: { status: 404, when: 'No contact of the account has this id.' },
  message_not_found: { status: 404, when: 'No message of the account has this id.' },
  media_not_found: { status: 404, when: 'The message has no media, or its file cannot be had any more.' },
  conversation_not_found: { status: 404, when: 'No conversation of the account has this id.' },
  opt_out_not_found: { status: 404, when: 'This phone number is not opted out.' },
  api_key_not_found: { status: 404, when: 'No API key of the account has this id.' },
  account_not_found: { status: 404, when: 'No account has this id.' },
  webhook_endpoint_not_found: { status: 404, when: 'No webhook endpoint of the account has this id.' },
  webhook_delivery_not_found: { status: 404, when: 'No webhook delivery of the account has this id.' },
  media_not_ready: {
    status: 409,
    when: 'The media is still being fetched from the platform; repeat in a few seconds.',
  },
  idempotency_in_progress: { status: 409, when: 'A request with this Idempotency-Key is still running.' },
  idempotency_lost: { status: 409, when: 'Another request took over this Idempotency-Key; nothing was done.' },
  invalid_job_state: {
    status: 409,
    when: 'The job cannot do this in its present state.',
    extra: { currentStatus: 'Completed', allowedActions: ['retry'] },
  },
  recipients_expired: { status: 409, when: 'The recipients of the job are not kept any more.' },
  sync_in_progress: { status: 409, when: 'A synchronisation of the templates is running.' },
  template_name_taken: { status: 409, when: 'A template of this name and language exists, or did a short time ago.' },
  invalid_template_state: {
    status: 409,
    when: 'The template cannot be changed like this in its present status.',
    extra: { templateStatus: 'Pending' },
  },
  group_name_taken: { status: 409, when: 'Another contact group has this name.' },
  contact_phone_taken: {
    status: 409,
    when: 'Another contact has this phone number.',
    extra: { contactId: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12' },
  },
  contact_user_id_taken: {
    status: 409,
    when: 'Another contact has this user id.',
    extra: { contactId: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12' },
  },
  phone_number_taken: { status: 409, when: 'Another account sends from this platform phone number.' },
  key_in_use: { status: 409, when: 'The key is the one that makes this request.' },
  own_account: { status: 409, when: 'The account is the one that makes this request.' },
  body_too_large: { status: 413, when: 'The body is larger than the endpoint reads.', extra: { limit: 1048576 } },
  file_too_large: { status: 413, when: 'The file, or what it unpacks to, is too large.', extra: { limit: 104857600 } },
  too_many_rows: { status: 413, when: 'The file has more rows than the plan allows.', extra: { limit: 1000000 } },
  unsupported_media_type: { status: 415, when: 'The body has another content type than the endpoint reads.' },
  unsupported_file_type: { status: 415, when: 'By its bytes the file is of no type that the endpoint takes.' },
  idempotency_mismatch: { status: 422, when: 'This Idempotency-Key came with another request before.' },
  template_not_approved: { status: 422, when: 'The template is not approved.', extra: { templateStatus: 'Pending' } },
  template_not_supported: { status: 422, when: 'The template needs more than values and a header media.' },
  template_refused: {
    status: 422,
    when: 'The platform refused the template; `errors` names the field where that is known.',
    extra: { platformCode: 100, platformSubcode: 2388299 },
  },
  parameter_mismatch: {
    status: 422,
    when: 'The values do not fit the placeholders of the template.',
    extra: { expected: 2, actual: 1 },
  },
  media_mismatch: { status: 422, when: 'The header media is missing, doubled or not asked for.' },
  file_unreadable: {
    status: 422,
    when: 'The file is damaged, encrypted or undecodable.',
    extra: { reason: 'encrypted' },
  },
  no_valid_rows: {
    status: 422,
    when: 'No row of the file can be used; the first 20 errors are listed.',
    extra: ROWS_REFUSED,
  },
  invalid_rows: {
    status: 422,
    when: 'A row is bad and `onInvalidRows` is `reject`; the first 20 errors are listed.',
    extra: ROWS_REFUSED,
  },
  nothing_to_retry: { status: 422, when: 'No recipient of the job is one that the retry asks for.' },
  group_empty: { status: 422, when: 'The group has no contact that can be written to.' },
  recipient_opted_out: { status: 422, when: 'The recipient opted out of messages, or of marketing where it is that.' },
  platform_rejected: {
    status: 422,
    when: 'The platform refused the message for good.',
    extra: { platformCode: 131026, messageId: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' },
  },
  sender_missing: { status: 422, when: 'The account has no sender yet.' },
  window_closed: {
    status: 422,
    when: 'The last message of the contact is older than 24 hours, or the contact has never written.',
    extra: { windowExpiresAt: '2026-11-20T19:15:00.000Z' },
  },
  message_not_sent: { status: 422, when: 'The platform has not accepted the message that is to be answered.' },
  rate_limited: { status: 429, when: 'The request rate of the plan is used up.', extra: { retryAfter: 1 } },
  template_creation_limit: {
    status: 429,
    when: 'The platform takes no more new templates this hour.',
    extra: { retryAfter: 3600 },
  },
  template_edit_limit: {
    status: 429,
    when: 'The platform takes no more edits of this template today, or this month.',
    extra: { retryAfter: 86400 },
  },
  template_call_limit: {
    status: 429,
    when: 'The platform takes no more calls about templates this hour.',
    extra: { retryAfter: 3600 },
  },
  internal_error: { status: 500, when: 'A fault on our side.' },
  service_unavailable: { status: 503, when: 'The database is out of reach; repeat later.' },
  platform_unavailable: { status: 503, when: 'The platform was not reached: nothing was sent, safe to repeat.' },
  template_outcome_unknown: {
    status: 503,
    when: 'The platform gave no answer: it may have been done. Sync the templates before you repeat it.',
  },
  sending_paused: { status: 503, when: 'The operator paused sending.' },
} as const satisfies Record<string, DocumentedFault>;

/** Stable name of a fault. */
export type FaultCode = keyof typeof FAULTS;
