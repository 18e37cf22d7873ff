import type { Explanation } from './explanation';
import { FIELD_PROBLEMS, type FieldCode } from './field-problems';
import { SHARED_EXPLANATIONS } from './shared-explanations';

/** Codes of errors in a recipient row. */
export const RECIPIENT_ROW_CODES = [
  'phone_missing',
  'phone_invalid',
  'phone_scientific_notation',
  'parameter_missing',
  'parameter_too_long',
  'parameter_invalid_characters',
  'parameter_invalid',
  'formula_without_value',
  'too_many_columns',
  'text_too_long',
  'extras_invalid',
  'user_id_invalid',
  'recipient_ids_differ',
  'recipient_id_not_allowed',
] as const satisfies readonly FieldCode[];

/** Why the service did not send a message, by stable code. */
export const SEND_PROBLEMS = {
  outcome_unknown: {
    when: 'The platform never reported whether it accepted this message.',
    remedy: 'It is never resent automatically; retry it if sending twice does less harm than not sending.',
  },
  expired: {
    when: 'The message could not be sent within its validity.',
    remedy: 'Send it again if still relevant.',
  },
  offer_expired: {
    when: 'The limited-time offer ended before the message could be sent.',
    remedy: 'Send it again with a later `offerExpiresAt`.',
  },
  sender_deleted: SHARED_EXPLANATIONS.sender_deleted,
  window_closed: SHARED_EXPLANATIONS.window_closed,
  message_erased: {
    when: 'The message was erased before it was sent.',
    remedy: 'Send a new message if still needed.',
  },
  opted_out: {
    when: 'The recipient has opted out of messages.',
    remedy: "Delete the opt-out only at the person's request.",
  },
  cancelled: {
    when: 'The job ended before this message was sent.',
    remedy: 'Retry the job to send to the remaining recipients.',
  },
  platform_unavailable: SHARED_EXPLANATIONS.platform_unavailable,
  recipient_erased: {
    when: 'The recipient was erased before the message was sent.',
    remedy: "Nothing: the person's data was erased.",
  },
} as const satisfies Record<string, Explanation>;

/** Why a message or a job's recipient failed, for problems found by this service. */
export const OWN_PROBLEMS = {
  ...Object.fromEntries(RECIPIENT_ROW_CODES.map((code) => [code, FIELD_PROBLEMS[code]])),
  ...SEND_PROBLEMS,
};
