import { SHARED_EXPLANATIONS } from '../../kernel/shared-explanations';

const CHECK_VALUES = 'Correct the values of this message and send it again.';
const NEW_TOKEN =
  'Store a new access token, and the secret of its app, at the sender of the account; then resume the job.';
const AT_THE_PLATFORM = "Solve it in the platform's business settings, then resume the job.";
const SLOWS_DOWN = 'Nothing: the service sends more slowly and retries.';
const RETRIES = 'Nothing: the service retries. Retry the recipients that failed once the platform works again.';
const LEAVE_OUT = 'Leave this recipient out.';
const EDIT_TEMPLATE = 'Correct the template and submit it again.';
const OTHER_TEMPLATE =
  'Use another template, or take sender.marketingMessagesApi of the account back; then resume the job.';

/** What a client can do about each problem that the platform reports, by the stable code of the problem. */
export const PROBLEM_REMEDIES = {
  platform_credentials_invalid: NEW_TOKEN,
  access_token_missing: NEW_TOKEN,
  account_in_maintenance: RETRIES,
  account_locked: AT_THE_PLATFORM,
  account_rate_limited: SHARED_EXPLANATIONS.account_rate_limited.remedy,
  account_restricted:
    "Read the violation in the platform's business settings and appeal against it, or wait for its end.",
  app_rate_limited: SLOWS_DOWN,
  country_not_allowed: LEAVE_OUT,
  display_name_not_approved: 'Get the display name of the sender approved on the platform, then resume the job.',
  duplicate_post: 'Look the message up in the history before you send it again.',
  flow_blocked: 'Correct the flow of the template on the platform, then resume the job.',
  flow_throttled: SLOWS_DOWN,
  management_rate_limited: SLOWS_DOWN,
  marketing_api_unavailable: OTHER_TEMPLATE,
  marketing_disabled:
    "Set sender.marketingMessagesApi of the account, or allow marketing on the Cloud API in the platform's business settings; then resume the job.",
  marketing_limit_reached: 'Try this person again in a few days at the earliest.',
  marketing_stopped: 'Send this person no marketing. The service has recorded the opt-out.',
  marketing_template_required: 'Send a template of the category Marketing. After a change of category resume the job.',
  media_download_failed: 'Ask the person to send the file again.',
  media_unusable: 'Send media of a supported type and size, at a URL that the platform can reach.',
  message_expired: 'Send it again if it still matters.',
  message_type_unsupported: 'Send another type of message.',
  object_unknown:
    'Check the phone number id and the business account id of the sender, and what its access token may see.',
  paging_cursor_invalid: 'Start from the first page again.',
  pair_rate_limited: 'Nothing: the service retries. Send fewer messages to one person in a short time.',
  parameter_count_mismatch: 'Sync the templates, then send the number of values that the template takes now.',
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
  recipient_blocked: 'Unblock the recipient on the platform, or leave the recipient out.',
  recipient_id_not_allowed: 'Send to the phone number of the person.',
  recipient_identity_changed: 'Verify who the person is, and confirm it on the platform.',
  recipient_in_experiment: 'Send this person no marketing for now.',
  recipient_is_sender: LEAVE_OUT,
  recipient_not_allowed: "Add the recipient to the test number's list, or send from a real number.",
  recipient_unreachable: 'Check the phone number, or reach the person in another way.',
  sender_deleted: 'Ask the operator of the service to give the account another sender.',
  sender_not_registered: "Register the sender's phone number on the platform, then resume the job.",
  spam_limit_reached:
    "Look at the quality of the sender's messages, wait until the limit has ended, then resume the job.",
  template_body_invalid: EDIT_TEMPLATE,
  template_disabled: SHARED_EXPLANATIONS.template_disabled.remedy,
  template_footer_invalid: EDIT_TEMPLATE,
  template_generated: 'Leave it as it is, or create a template of your own with the text that you need.',
  template_header_invalid: EDIT_TEMPLATE,
  template_misclassified:
    "Nothing: the service retries until the platform lifts the limit. Correct the categories of the templates in the platform's console.",
  template_missing: 'Sync the templates. A job resumes by itself once the template is approved.',
  template_name_blocked: 'Choose another name.',
  template_name_taken: SHARED_EXPLANATIONS.template_name_taken.remedy,
  template_not_editable: 'Wait until the template is approved, rejected or paused.',
  template_paused: SHARED_EXPLANATIONS.template_paused.remedy,
  template_policy_violated: 'Correct the content of the template, or use another one.',
  template_quota_reached: 'Delete templates that are not needed.',
  template_still_syncing:
    'Nothing: the service retries. The platform takes up to ten minutes for a template that is new or was not used for a week.',
  template_text_too_long: 'Shorten the text and submit the template again.',
  template_too_many_variables: 'Add text or remove placeholders, and submit the template again.',
  template_unknown: 'Sync the templates.',
  template_variable_at_edge: 'Put words before and after the placeholder, and submit the template again.',
  text_too_long: SHARED_EXPLANATIONS.text_too_long.remedy,
  throughput_exceeded: SLOWS_DOWN,
  window_closed: SHARED_EXPLANATIONS.window_closed.remedy,
} as const satisfies Record<string, string>;

/** Stable code of a problem that the platform reports. */
export type PlatformProblem = keyof typeof PROBLEM_REMEDIES;
