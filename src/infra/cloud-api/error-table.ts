/** What an error of the platform means for the sends around it: only this person, this message, the whole job, the pace, or the platform. */
export type PlatformErrorClass = 'recipient' | 'message' | 'job' | 'throttle' | 'outage';

/** How the service treats an error: its class, a stable code for clients, and a sentence for people. */
export interface PlatformErrorMeaning {
  class: PlatformErrorClass;
  problem: string;
  meaning: string;
}

/** What is known about an error when it is classified; a status webhook brings no HTTP status. */
export interface PlatformErrorSigns {
  code: number;
  subcode?: number;
  httpStatus?: number;
  transient?: boolean;
}

type Row = readonly [kind: PlatformErrorClass, problem: string, meaning: string];

/**
 * Every documented code of the platform, for replies and status webhooks alike. `recipient`: this person cannot be
 * reached (now); `message`: this input cannot be sent; `job`: nothing goes out until somebody acts; `throttle`: slow
 * down; `outage`: try again later.
 */
const CODES: Readonly<Record<number, Row>> = {
  0: ['job', 'access_token_invalid', 'The platform could not authenticate the access token.'],
  1: ['outage', 'platform_fault', 'The platform could not handle the request.'],
  2: ['outage', 'platform_overloaded', 'The platform is down or overloaded for the moment.'],
  3: ['job', 'permission_missing', 'The app lacks the capability or the permission for this call.'],
  4: ['throttle', 'app_rate_limited', "The app's calls to the platform have reached their limit."],
  10: ['job', 'permission_missing', 'The permission is missing, was withdrawn, or the business is not eligible.'],
  17: ['throttle', 'platform_rate_limited', 'The calls of this user have reached their limit.'],
  32: ['throttle', 'platform_rate_limited', 'The calls of this page have reached their limit.'],
  33: ['job', 'sender_deleted', "The sender's phone number was deleted on the platform."],
  100: ['message', 'parameter_invalid', 'A parameter is missing, unknown, wrong or too long.'],
  102: ['job', 'access_token_invalid', 'The session of the access token has ended.'],
  104: ['job', 'access_token_missing', 'The access token or its proof is missing.'],
  190: ['job', 'access_token_invalid', 'The access token has expired or was revoked.'],
  368: ['job', 'account_restricted', 'The business account is restricted or disabled for a violation of policy.'],
  506: ['message', 'duplicate_post', 'The platform took the request for a repetition of an earlier one.'],
  613: ['throttle', 'platform_rate_limited', 'The calls have reached a limit of the platform.'],
  80007: ['throttle', 'account_rate_limited', 'The calls of the business account have reached their limit.'],
  80008: [
    'throttle',
    'management_rate_limited',
    'The management calls of the business account have reached their limit.',
  ],
  130403: ['recipient', 'recipient_blocked', 'The business has blocked this recipient.'],
  130429: ['throttle', 'throughput_exceeded', "The sender's messages per second are used up."],
  130472: [
    'recipient',
    'recipient_in_experiment',
    'The recipient is in an experiment of the platform and gets no marketing.',
  ],
  130497: ['recipient', 'country_not_allowed', "The business may not message people in the recipient's country."],
  131000: ['outage', 'platform_fault', 'The platform failed for a reason that it does not name.'],
  131005: ['job', 'permission_missing', 'Access was denied: the permission is missing or was withdrawn.'],
  131008: ['message', 'parameter_missing', 'A required parameter is missing.'],
  131009: ['message', 'parameter_invalid', 'The value of a parameter is not valid.'],
  131016: ['outage', 'platform_overloaded', 'A service of the platform is unavailable for the moment.'],
  131021: ['recipient', 'recipient_is_sender', 'The recipient is the sender itself.'],
  131026: [
    'recipient',
    'recipient_unreachable',
    'The recipient is not on the platform, has an old app or has not accepted its terms.',
  ],
  131030: [
    'recipient',
    'recipient_not_allowed',
    "The recipient is not on the test number's list of allowed recipients.",
  ],
  131031: ['job', 'account_locked', 'The business account is locked or restricted.'],
  131037: ['job', 'display_name_not_approved', "The sender's display name needs approval before it can send."],
  131042: ['job', 'payment_problem', 'The payment method of the business account has a problem.'],
  131043: ['recipient', 'message_expired', 'The message could not be delivered while it was valid.'],
  131045: ['job', 'sender_not_registered', "The registration of the sender's phone number has a problem."],
  131047: [
    'message',
    'window_closed',
    'More than 24 hours passed since the recipient wrote: only a template can be sent.',
  ],
  131048: [
    'job',
    'spam_limit_reached',
    'The sender may not send for now: too many of its messages were blocked, or its limit is used up.',
  ],
  131049: [
    'recipient',
    'marketing_limit_reached',
    'The platform held the message back: this person gets no more marketing for now.',
  ],
  131050: ['recipient', 'marketing_stopped', 'The recipient has stopped marketing messages from this business.'],
  131051: ['message', 'message_type_unsupported', 'This type of message is not supported.'],
  131052: ['message', 'media_download_failed', 'The media that the person sent could not be fetched.'],
  131053: ['message', 'media_unusable', 'The media could not be used: wrong type, too large or not reachable.'],
  131055: ['job', 'marketing_api_required', 'This template can only be sent through the marketing endpoint.'],
  131056: ['throttle', 'pair_rate_limited', 'Too many messages to this recipient in a short time.'],
  131057: ['outage', 'account_in_maintenance', 'The business account is in maintenance for a few minutes.'],
  131059: ['message', 'paging_cursor_invalid', 'The paging cursor is no longer valid.'],
  131062: ['recipient', 'recipient_id_not_allowed', 'This message needs a phone number; a user id is not enough.'],
  131063: ['job', 'marketing_disabled', 'Marketing messages are disabled for the business account.'],
  131064: ['job', 'template_misclassified', 'Sending is limited because templates are in the wrong category.'],
  132000: ['message', 'parameter_count_mismatch', "The number of values does not match the template's placeholders."],
  132001: ['job', 'template_missing', 'The template does not exist in this language or is not approved.'],
  132005: ['message', 'text_too_long', 'The text is too long once the values are filled in.'],
  132007: ['job', 'template_policy_violated', 'The content of the template violates a policy.'],
  132012: ['message', 'parameter_format_mismatch', 'A value has another format than the template asks for.'],
  132015: ['job', 'template_paused', 'The template is paused because of low quality.'],
  132016: ['job', 'template_disabled', 'The template is disabled for good.'],
  132018: ['message', 'parameter_invalid', 'A value holds a line break, a tab, too many spaces or another fault.'],
  132068: ['job', 'flow_blocked', 'The flow of the template is blocked.'],
  132069: ['throttle', 'flow_throttled', 'The flow of the template is throttled.'],
  133000: ['job', 'sender_not_registered', 'An earlier deregistration of the phone number is not complete.'],
  133004: ['outage', 'platform_overloaded', 'The server of the platform is unavailable for the moment.'],
  133005: ['job', 'sender_not_registered', 'The two-step verification PIN is wrong.'],
  133006: ['job', 'sender_not_registered', 'The phone number must be verified before it is registered.'],
  133008: ['job', 'sender_not_registered', 'The two-step verification PIN was guessed wrongly too often.'],
  133009: ['job', 'sender_not_registered', 'The two-step verification PIN was entered too fast.'],
  133010: ['job', 'sender_not_registered', "The sender's phone number is not registered."],
  133015: ['job', 'sender_not_registered', 'The deletion of the phone number is still pending.'],
  133016: ['job', 'sender_not_registered', 'The phone number was registered too often; it has to wait.'],
  134011: ['job', 'payment_terms_open', 'The terms of payments have not been accepted.'],
  134100: ['job', 'marketing_api_required', 'The marketing endpoint takes marketing templates only.'],
  134101: ['outage', 'template_still_syncing', 'The template is not ready for the marketing endpoint yet.'],
  134102: ['job', 'marketing_api_unavailable', 'The template cannot be used with the marketing endpoint.'],
  135000: [
    'message',
    'parameter_invalid',
    'The parameters of the request have a fault that the platform does not name.',
  ],
  137000: ['recipient', 'recipient_identity_changed', "The recipient's identity has changed and must be verified."],
};

/** Codes of template authoring, which stand as subcode under code 100; each is a fault of the template as it was written. */
const TEMPLATE_SUBCODES: Readonly<Record<number, Row>> = {
  33: ['job', 'object_unknown', 'The phone number or business account is unknown or not visible to the access token.'],
  2388019: ['message', 'template_quota_reached', 'The business account has no room for another template.'],
  2388023: ['message', 'template_name_blocked', 'A template of this name was deleted a short time ago.'],
  2388024: ['message', 'template_name_taken', 'A template of this name and language exists.'],
  2388039: ['message', 'template_not_editable', 'The template cannot be edited in its present status.'],
  2388040: ['message', 'template_text_too_long', 'A text of the template is too long.'],
  2388047: ['message', 'template_header_invalid', 'The header of the template has a wrong format.'],
  2388072: ['message', 'template_body_invalid', 'The body of the template has a wrong format.'],
  2388073: ['message', 'template_footer_invalid', 'The footer of the template has a wrong format.'],
  2388293: [
    'message',
    'template_too_many_variables',
    'The template has too many placeholders for the length of its text.',
  ],
  2593002: ['message', 'template_unknown', 'There is no such template any more.'],
  2388299: [
    'message',
    'template_variable_at_edge',
    'A placeholder stands first or last in the body: put words around it.',
  ],
};

/**
 * The meaning of an error by its code (and subcode, where code 100 says nothing by itself). A code that is not in the
 * table is judged by its signs: 5xx or transient is an outage, 429 a throttle, 401 and 403 the job's, all else the
 * message's.
 */
export function platformErrorMeaning(signs: PlatformErrorSigns): PlatformErrorMeaning {
  const row = knownRow(signs) ?? unknownRow(signs);
  return { class: row[0], problem: row[1], meaning: row[2] };
}

/** Every code of the table, for tests and for the documentation. */
export function knownPlatformCodes(): number[] {
  return [...Object.keys(CODES), ...Object.keys(TEMPLATE_SUBCODES).filter((code) => code !== '33')].map(Number);
}

function knownRow({ code, subcode }: PlatformErrorSigns): Row | undefined {
  if (code === 100 && subcode !== undefined && TEMPLATE_SUBCODES[subcode]) return TEMPLATE_SUBCODES[subcode];
  if (code >= 200 && code <= 299) return ['job', 'permission_missing', 'The access token may not do this.'];
  // Some versions of the platform put an authoring code where the code itself belongs.
  return CODES[code] ?? TEMPLATE_SUBCODES[code];
}

function unknownRow({ httpStatus = 400, transient = false }: PlatformErrorSigns): Row {
  if (httpStatus >= 500 || transient) return ['outage', 'platform_fault', 'The platform failed for the moment.'];
  if (httpStatus === 429)
    return ['throttle', 'platform_rate_limited', 'The calls have reached a limit of the platform.'];
  if (httpStatus === 401 || httpStatus === 403) return ['job', 'permission_missing', 'The platform refused access.'];
  return ['message', 'platform_error', 'The platform refused the message with an error that is not documented.'];
}
