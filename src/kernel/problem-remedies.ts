import { SHARED_EXPLANATIONS } from './shared-explanations';

const CHECK_VALUES = 'Correct the values of this message and send it again.';
const NEW_TOKEN = "Store a new access token and the secret of its app in the account's sender, then resume the job.";
const AT_THE_PLATFORM = "Fix the cause in the platform's business settings, then resume the job.";
const SLOWS_DOWN = 'Nothing: the service slows down and retries.';
const RETRIES = 'Nothing: the service retries. Retry failed recipients once the platform works again.';
const LEAVE_OUT = 'Remove this recipient.';
const EDIT_TEMPLATE = 'Correct the template and submit it again.';
const OTHER_TEMPLATE =
  "Use another template, or turn off the account's sender.marketingMessagesApi, then resume the job.";

/** Remedies of the problems that the platform reports, by stable code. */
export const PROBLEM_REMEDIES = {
  platform_credentials_invalid: NEW_TOKEN,
  access_token_missing: NEW_TOKEN,
  account_in_maintenance: RETRIES,
  account_locked: AT_THE_PLATFORM,
  account_rate_limited: SHARED_EXPLANATIONS.account_rate_limited.remedy,
  account_restricted:
    "Check the violation in the platform's business settings and appeal, or wait until the restriction ends.",
  app_rate_limited: SLOWS_DOWN,
  country_not_allowed: LEAVE_OUT,
  display_name_not_approved: "Have the sender's display name approved on the platform, then resume the job.",
  duplicate_post: 'Check the message in the history before you send it again.',
  flow_blocked: "Fix the template's flow on the platform, then resume the job.",
  flow_throttled: SLOWS_DOWN,
  management_rate_limited: SLOWS_DOWN,
  marketing_api_unavailable: OTHER_TEMPLATE,
  marketing_disabled:
    "Turn on the account's sender.marketingMessagesApi, or allow marketing on the Cloud API in the platform's " +
    'business settings, then resume the job.',
  marketing_limit_reached: 'Wait at least a few days before you message this person again.',
  marketing_stopped: 'Do not send marketing to this person. The service has recorded the opt-out.',
  marketing_template_required:
    'Send a template of the category Marketing, or resume the job after the category has ' + 'changed.',
  media_download_failed: 'Ask the person to send the file again.',
  media_unusable: 'Send media of a supported type and size, at a URL the platform can reach.',
  message_expired: 'Send it again if still relevant.',
  message_type_unsupported: 'Send another type of message.',
  object_unknown:
    "Check the sender's phone number id and business account id, and the permissions of its access token.",
  paging_cursor_invalid: 'Start from the first page again.',
  pair_rate_limited: 'Nothing: the service retries. Send fewer messages to one person in a short time.',
  parameter_count_mismatch: 'Sync the templates, then send the number of values the template now takes.',
  parameter_format_mismatch: CHECK_VALUES,
  parameter_invalid: SHARED_EXPLANATIONS.parameter_invalid.remedy,
  parameter_missing: SHARED_EXPLANATIONS.parameter_missing.remedy,
  payment_problem: "Correct the payment method in the platform's business settings, then resume the job.",
  payment_terms_open: 'Accept the payment terms on the platform, then resume the job.',
  permission_missing: 'Give the access token the permission to send and to manage templates, then resume the job.',
  platform_rejected: SHARED_EXPLANATIONS.platform_rejected.remedy,
  platform_fault: RETRIES,
  platform_overloaded: RETRIES,
  platform_rate_limited: SLOWS_DOWN,
  recipient_blocked: 'Unblock the recipient on the platform, or remove the recipient.',
  recipient_id_not_allowed: SHARED_EXPLANATIONS.recipient_id_not_allowed.remedy,
  recipient_identity_changed: "Verify the person's identity and confirm it on the platform.",
  recipient_in_experiment: 'Do not send marketing to this person for now.',
  recipient_is_sender: LEAVE_OUT,
  recipient_not_allowed: "Add the recipient to the test number's list, or send from a real number.",
  recipient_unreachable: 'Check the phone number, or contact the person in another way.',
  sender_deleted: SHARED_EXPLANATIONS.sender_deleted.remedy,
  sender_not_registered: "Register the sender's phone number on the platform, then resume the job.",
  spam_limit_reached: "Check the quality of the sender's messages, wait until the limit ends, then resume the job.",
  template_body_invalid: EDIT_TEMPLATE,
  template_disabled: SHARED_EXPLANATIONS.template_disabled.remedy,
  template_footer_invalid: EDIT_TEMPLATE,
  template_generated: 'Leave it unchanged, or create your own template with the text you need.',
  template_header_invalid: EDIT_TEMPLATE,
  template_misclassified:
    "Nothing: the service retries until the platform lifts the limit. Correct the categories of the templates in the platform's console.",
  template_missing: 'Sync the templates. A job resumes automatically once the template is approved.',
  template_name_blocked: 'Choose another name.',
  template_name_taken: SHARED_EXPLANATIONS.template_name_taken.remedy,
  template_not_editable: 'Wait until the template is approved, rejected or paused.',
  template_paused: SHARED_EXPLANATIONS.template_paused.remedy,
  template_policy_violated: 'Correct the content of the template, or use another one.',
  template_quota_reached: 'Delete unused templates.',
  template_still_syncing:
    'Nothing: the service retries. The platform needs up to ten minutes for a template that is new or unused for a week.',
  template_text_too_long: 'Shorten the text and submit the template again.',
  template_too_many_variables: 'Add text or remove placeholders, and submit the template again.',
  template_unknown: 'Sync the templates.',
  template_variable_at_edge: 'Put words before and after the placeholder, and submit the template again.',
  text_too_long: SHARED_EXPLANATIONS.text_too_long.remedy,
  throughput_exceeded: SLOWS_DOWN,
  window_closed: SHARED_EXPLANATIONS.window_closed.remedy,
} as const satisfies Record<string, string>;

/** Stable code of a problem reported by the platform. */
export type PlatformProblem = keyof typeof PROBLEM_REMEDIES;

/** What remedies of jobs say that does not fit a single message. */
const OF_MESSAGE: Readonly<Record<string, string | undefined>> = {
  country_not_allowed: 'Send nothing to this recipient.',
  recipient_blocked: 'Unblock the recipient on the platform, or send nothing to this recipient.',
  recipient_is_sender: 'Choose another recipient.',
  sender_deleted: 'Send with another sender.',
  template_disabled: 'Use another template.',
  template_missing: 'Sync the templates.',
  template_paused: 'Check the quality of the template and wait until it is approved again.',
} satisfies Partial<Record<PlatformProblem, string>>;

/**
 * What to do about a message that the platform refused, with its code, for its sender: there is no job to resume. Empty if the reason
 * that the platform gave says all there is.
 */
export function remedyOfMessage(code: string): string {
  const remedy = (PROBLEM_REMEDIES as Readonly<Record<string, string | undefined>>)[code];
  if (remedy === undefined || code === 'platform_rejected' || remedy.startsWith('Nothing: ')) return '';
  return OF_MESSAGE[code] ?? remedy.replace('resume the job', 'send the message again');
}
