import type { Explanation } from '../../kernel/explanation';
import { SHARED_EXPLANATIONS } from '../../kernel/shared-explanations';
import { type PlatformProblem, PROBLEM_REMEDIES } from '../../kernel/problem-remedies';

/** The scope of a platform error: this recipient, this message, the whole job, the rate, or the platform. */
export type PlatformErrorClass = 'recipient' | 'message' | 'job' | 'throttle' | 'outage';

/** The classification of an error: its class, a stable code for clients, and a readable description. */
export interface PlatformErrorMeaning {
  class: PlatformErrorClass;
  problem: PlatformProblem;
  meaning: string;
}

/** The properties that classify an error; errors in status webhooks have no HTTP status. */
export interface PlatformErrorAttributes {
  code: number;
  subcode?: number;
  httpStatus?: number;
  transient?: boolean;
  /** Whether the message mentions the app secret proof, which has no code of its own. */
  mentionsProof?: boolean;
}

type Row = readonly [kind: PlatformErrorClass, problem: PlatformProblem, meaning: string];

/**
 * Every documented code of the platform, for replies and status webhooks. `recipient`: this person cannot be reached (now);
 * `message`: this input cannot be sent; `job`: nothing can be sent until someone fixes the cause; `throttle`: slow down; `outage`:
 * retry later.
 */
const CODES: Readonly<Record<number, Row>> = {
  0: ['job', 'platform_credentials_invalid', 'The platform could not authenticate the access token.'],
  1: ['outage', 'platform_fault', 'The platform could not process the request.'],
  2: ['outage', 'platform_overloaded', 'The platform is temporarily down or overloaded.'],
  3: ['job', 'permission_missing', 'The app lacks the capability or the permission for this call.'],
  4: ['throttle', 'app_rate_limited', 'The app has reached its limit of API calls to the platform.'],
  10: ['job', 'permission_missing', 'The permission is missing or was withdrawn, or the business is not eligible.'],
  17: ['throttle', 'platform_rate_limited', 'This user has reached the limit of API calls.'],
  32: ['throttle', 'platform_rate_limited', 'This page has reached the limit of API calls.'],
  33: ['job', 'sender_deleted', "The sender's phone number was deleted on the platform."],
  100: ['message', 'parameter_invalid', 'A parameter is missing, unknown, invalid or too long.'],
  102: ['job', 'platform_credentials_invalid', 'The session of the access token has ended.'],
  104: ['job', 'access_token_missing', 'The access token or its proof is missing.'],
  190: ['job', 'platform_credentials_invalid', 'The access token has expired or was revoked.'],
  368: ['job', 'account_restricted', 'The business account is restricted or disabled for a policy violation.'],
  506: ['message', 'duplicate_post', 'The platform treated the request as a duplicate of an earlier one.'],
  613: ['throttle', 'platform_rate_limited', 'A limit of API calls to the platform was reached.'],
  2046: ['message', 'parameter_invalid', 'The order cannot change to this status.'],
  2047: ['message', 'parameter_invalid', 'The order can no longer be cancelled.'],
  80007: ['throttle', 'account_rate_limited', 'The calls of the business account have reached their limit.'],
  80008: ['throttle', 'management_rate_limited', 'The business account has reached its limit of management calls.'],
  130403: ['recipient', 'recipient_blocked', 'The business has blocked this recipient.'],
  130429: ['throttle', 'throughput_exceeded', "The sender's limit of messages per second is exceeded."],
  130472: [
    'recipient',
    'recipient_in_experiment',
    'The recipient is part of a platform experiment and gets no marketing messages.',
  ],
  130497: ['recipient', 'country_not_allowed', "The business may not message people in the recipient's country."],
  131000: ['outage', 'platform_fault', 'The platform failed for an unknown reason.'],
  131005: ['job', 'permission_missing', 'Access was denied: the permission is missing or was withdrawn.'],
  131008: ['message', 'parameter_missing', 'A required parameter is missing.'],
  131009: ['message', 'parameter_invalid', 'The value of a parameter is not valid.'],
  131016: ['outage', 'platform_overloaded', 'A service of the platform is temporarily unavailable.'],
  131021: ['recipient', 'recipient_is_sender', 'The recipient is the sender itself.'],
  131026: [
    'recipient',
    'recipient_unreachable',
    'The recipient is not on the platform, has an outdated app or has not accepted the terms.',
  ],
  131030: [
    'recipient',
    'recipient_not_allowed',
    "The recipient is not on the test number's list of allowed recipients.",
  ],
  131031: ['job', 'account_locked', 'The business account is locked or restricted.'],
  131035: ['recipient', 'message_expired', 'The platform could not deliver its report in time and did not store it.'],
  131036: [
    'recipient',
    'message_expired',
    "The message reached only some of the recipient's devices, and the platform does not store it for the others.",
  ],
  131037: ['job', 'display_name_not_approved', "The sender's display name needs approval before it can send."],
  131042: ['job', 'payment_problem', 'The payment method of the business account has a problem.'],
  131043: ['recipient', 'message_expired', 'The message could not be delivered while it was valid.'],
  131045: ['job', 'sender_not_registered', "The registration of the sender's phone number has a problem."],
  131047: [
    'message',
    'window_closed',
    'More than 24 hours have passed since the recipient last wrote: only a template can be sent.',
  ],
  131048: [
    'job',
    'spam_limit_reached',
    'The sender is temporarily blocked: too many of its messages were blocked, or its limit is reached.',
  ],
  131049: [
    'recipient',
    'marketing_limit_reached',
    'The platform did not deliver the message: this person has reached the limit of marketing messages for now.',
  ],
  131050: ['recipient', 'marketing_stopped', 'The recipient has stopped marketing messages from this business.'],
  131051: ['message', 'message_type_unsupported', 'This type of message is not supported.'],
  131052: ['message', 'media_download_failed', 'The media sent by the person could not be downloaded.'],
  131053: ['message', 'media_unusable', 'The media is unusable: wrong type, too large or unreachable.'],
  131055: ['job', 'marketing_template_required', 'This endpoint of the platform sends marketing templates only.'],
  131056: ['throttle', 'pair_rate_limited', 'Too many messages were sent to this recipient in a short time.'],
  131057: ['outage', 'account_in_maintenance', 'The business account is in maintenance for a few minutes.'],
  131059: ['message', 'paging_cursor_invalid', 'The paging cursor is no longer valid.'],
  131061: ['message', 'platform_rejected', 'The platform refused the message and does not document why.'],
  131062: ['recipient', 'recipient_id_not_allowed', 'This message needs a phone number; a user id is not enough.'],
  131063: [
    'job',
    'marketing_disabled',
    'The business account allows marketing templates through the Marketing Messages API only.',
  ],
  131064: [
    'throttle',
    'template_misclassified',
    'The platform temporarily limits all template messages of the business account because templates are in the wrong ' +
      'category.',
  ],
  132000: ['message', 'parameter_count_mismatch', "The number of values does not match the template's placeholders."],
  132001: ['job', 'template_missing', 'The template does not exist in this language or is not approved.'],
  132005: ['message', 'text_too_long', 'The text is too long once the values are filled in.'],
  132007: ['job', 'template_policy_violated', 'The content of the template violates a policy.'],
  132008: ['message', 'parameter_format_mismatch', 'The format of a value does not match the template.'],
  132012: ['message', 'parameter_format_mismatch', 'The format of a value does not match the template.'],
  132015: ['job', 'template_paused', 'The template is paused because of low quality.'],
  132016: ['job', 'template_disabled', 'The template is permanently disabled.'],
  132018: ['message', 'parameter_invalid', 'A value contains a line break, a tab, too many spaces or another error.'],
  132021: ['message', 'template_name_taken', 'A template has the name under which the message was to be sent.'],
  132068: ['job', 'flow_blocked', 'The flow of the template is blocked.'],
  132069: ['throttle', 'flow_throttled', 'The flow of the template is throttled.'],
  133000: ['job', 'sender_not_registered', 'An earlier deregistration of the phone number is not complete.'],
  133004: ['outage', 'platform_overloaded', 'The server of the platform is temporarily unavailable.'],
  133005: ['job', 'sender_not_registered', 'The two-step verification PIN is wrong.'],
  133006: ['job', 'sender_not_registered', 'The phone number must be verified before it is registered.'],
  133008: ['job', 'sender_not_registered', 'A wrong two-step verification PIN was entered too many times.'],
  133009: ['job', 'sender_not_registered', 'The two-step verification PIN was entered too quickly.'],
  133010: ['job', 'sender_not_registered', "The sender's phone number is not registered."],
  133015: ['job', 'sender_not_registered', 'The deletion of the phone number is still pending.'],
  133016: [
    'job',
    'sender_not_registered',
    'The phone number was registered too many times; wait before you try again.',
  ],
  134011: ['job', 'payment_terms_open', 'The payment terms have not been accepted.'],
  134100: ['job', 'marketing_template_required', 'The marketing endpoint accepts only marketing templates.'],
  134101: ['throttle', 'template_still_syncing', 'The template is not ready for the marketing endpoint yet.'],
  134102: ['job', 'marketing_api_unavailable', 'The template cannot be used with the marketing endpoint.'],
  134103: ['job', 'marketing_api_unavailable', 'The message cannot be sent through the marketing endpoint.'],
  135000: ['message', 'parameter_invalid', 'The parameters of the request have an unspecified error.'],
  137000: ['recipient', 'recipient_identity_changed', "The recipient's identity has changed and must be verified."],
  139200: ['job', 'permission_missing', 'The business account may no longer send without a template.'],
};

/** Codes of template authoring, which are subcodes of code 100; each is an error in the submitted template. */
const TEMPLATE_SUBCODES: Readonly<Record<number, Row>> = {
  33: ['job', 'object_unknown', 'The phone number or business account is unknown or not visible to the access token.'],
  2388019: ['message', 'template_quota_reached', 'The business account has reached its maximum number of templates.'],
  2388023: ['message', 'template_name_blocked', 'A template with this name was deleted recently.'],
  2388024: ['message', 'template_name_taken', 'A template with this name and language already exists.'],
  2388039: ['message', 'template_not_editable', 'The template cannot be edited in its current status.'],
  2388040: ['message', 'template_text_too_long', 'A text of the template is too long.'],
  2388047: ['message', 'template_header_invalid', 'The header of the template is invalid.'],
  2388072: ['message', 'template_body_invalid', 'The body of the template is invalid.'],
  2388073: ['message', 'template_footer_invalid', 'The footer of the template is invalid.'],
  2388293: [
    'message',
    'template_too_many_variables',
    'The template has too many placeholders for the length of its text.',
  ],
  2593002: ['message', 'template_unknown', 'The template no longer exists.'],
  2388318: ['message', 'template_generated', 'The platform generated this template; it cannot be edited.'],
  2388330: ['message', 'template_generated', 'The platform generated this template; it cannot be deleted.'],
  2388299: ['message', 'template_variable_at_edge', 'The body begins or ends with a placeholder: put words around it.'],
};

const WRONG_PROOF: Row = [
  'job',
  'platform_credentials_invalid',
  "The app secret does not belong to the access token's app.",
];
const NO_PERMISSION: Row = ['job', 'permission_missing', 'The access token may not do this.'];

/** Meanings of codes outside the table, by their other attributes. */
const UNKNOWN_ROWS = [
  ['outage', 'platform_fault', 'The platform failed temporarily.'],
  ['throttle', 'platform_rate_limited', 'A limit of API calls to the platform was reached.'],
  ['job', 'permission_missing', 'The platform refused access.'],
  ['message', 'platform_rejected', 'The platform refused the message with an undocumented error.'],
] as const satisfies readonly Row[];

/** How the documentation names the codes of UNKNOWN_ROWS. */
const UNKNOWN_CODES = [
  'other codes with HTTP 5xx, or called temporary',
  'other codes with HTTP 429',
  'other codes with HTTP 401 or 403',
  'all other codes',
];

/**
 * The meaning of an error by its code (for the unspecific code 100, by its subcode). A code outside the table is classified by status:
 * 5xx or transient is an outage, 429 a throttle; 401 and 403 concern the job, all others the message.
 */
export function platformErrorMeaning(error: PlatformErrorAttributes): PlatformErrorMeaning {
  const row = knownRow(error) ?? unknownRow(error);
  return { class: row[0], problem: row[1], meaning: row[2] };
}

/** All codes of the table. */
export function knownPlatformCodes(): number[] {
  return [...Object.keys(CODES), ...Object.keys(TEMPLATE_SUBCODES).filter((code) => code !== '33')].map(Number);
}

/** A problem reported by the platform, with all its codes. */
export interface KnownProblem extends Explanation {
  problem: PlatformProblem;
  classes: PlatformErrorClass[];
  codes: string[];
}

/** Every problem of the table, in alphabetical order, for the documentation. */
export function knownPlatformProblems(): KnownProblem[] {
  const rows = [
    ...Object.entries(CODES),
    ...Object.entries(TEMPLATE_SUBCODES).map(([code, row]) => [`100/${code}`, row] as const),
    ['100 with `appsecret_proof`', WRONG_PROOF] as const,
    ['200 to 299', NO_PERMISSION] as const,
    ...UNKNOWN_ROWS.map((row, at) => [UNKNOWN_CODES[at]!, row] as const),
  ];
  const problems = Object.keys(PROBLEM_REMEDIES) as PlatformProblem[];
  return problems.sort().map((problem) => {
    const own = rows.filter(([, row]) => row[1] === problem);
    const classes = [...new Set(own.map(([, row]) => row[0]))];
    const shared = (SHARED_EXPLANATIONS as Readonly<Partial<Record<PlatformProblem, Explanation>>>)[problem];
    const when = shared?.when ?? [...new Set(own.map(([, row]) => row[2]))].join(' ');
    const codes = [...new Set(own.map(([code]) => code))];
    return { problem, classes, codes, when, remedy: PROBLEM_REMEDIES[problem] };
  });
}

function knownRow({ code, subcode, mentionsProof }: PlatformErrorAttributes): Row | undefined {
  if (code === 100 && mentionsProof) return WRONG_PROOF;
  if (code === 100 && subcode !== undefined && TEMPLATE_SUBCODES[subcode]) return TEMPLATE_SUBCODES[subcode];
  if (code >= 200 && code <= 299) return NO_PERMISSION;
  // Some versions of the platform return an authoring code as the code itself.
  return CODES[code] ?? TEMPLATE_SUBCODES[code];
}

function unknownRow({ httpStatus = 400, transient = false }: PlatformErrorAttributes): Row {
  const [outage, throttle, access, refusal] = UNKNOWN_ROWS;
  if (httpStatus >= 500 || transient) return outage;
  if (httpStatus === 429) return throttle;
  return httpStatus === 401 || httpStatus === 403 ? access : refusal;
}
