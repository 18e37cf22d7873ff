import { NOT_ATTEMPTED, UNCONFIRMED } from '../../../client/job-figures';
import { t } from '../../language/translate';

/** What a person can do about failures. */
export type FailureGroup = 'correct' | 'later' | 'account' | 'nothing';

/** The groups in the order of what is worth doing. `lead`: what the remedies of its failures have in common. */
export const FAILURE_GROUPS: readonly { group: FailureGroup; title: string; lead?: string }[] = [
  {
    group: 'correct',
    title: t('Correct the number or the row'),
    lead: t('Correct these recipients in your file or contacts, then send to them in a new campaign.'),
  },
  { group: 'later', title: t('Try again later') },
  { group: 'account', title: t('Our side: account, template or WhatsApp') },
  { group: 'nothing', title: t('Nothing to do') },
];

const CODES: Readonly<Record<FailureGroup, readonly string[]>> = {
  correct: [
    ...['phone_invalid', 'phone_missing', 'phone_scientific_notation', 'user_id_invalid', 'recipient_ids_differ'],
    ...['recipient_unreachable', 'recipient_is_sender', 'recipient_id_not_allowed'],
    ...['parameter_missing', 'parameter_invalid', 'parameter_invalid_characters'],
    ...[
      'parameter_too_long',
      'parameter_format_mismatch',
      'text_too_long',
      'too_many_columns',
      'formula_without_value',
    ],
    ...['extras_invalid', 'media_unusable'],
  ],
  later: [
    ...[NOT_ATTEMPTED, 'expired', 'message_expired', UNCONFIRMED, 'duplicate_post', 'marketing_limit_reached'],
    ...['pair_rate_limited', 'platform_fault', 'platform_overloaded', 'platform_unavailable', 'platform_rate_limited'],
    ...['account_rate_limited', 'app_rate_limited', 'management_rate_limited', 'throughput_exceeded', 'flow_throttled'],
    ...['account_in_maintenance', 'spam_limit_reached', 'template_still_syncing', 'media_download_failed'],
    ...['window_closed', 'paging_cursor_invalid'],
  ],
  account: [
    ...['access_token_missing', 'account_locked', 'account_restricted', 'display_name_not_approved', 'flow_blocked'],
    ...['marketing_api_unavailable', 'marketing_disabled', 'marketing_template_required', 'message_type_unsupported'],
    ...['object_unknown', 'offer_expired', 'parameter_count_mismatch', 'payment_problem', 'payment_terms_open'],
    ...['permission_missing', 'platform_credentials_invalid', 'platform_rejected', 'sender_deleted'],
    ...['recipient_identity_changed', 'recipient_not_allowed'],
    ...['sender_not_registered', 'template_body_invalid', 'template_disabled', 'template_footer_invalid'],
    ...['template_generated', 'template_header_invalid', 'template_misclassified', 'template_missing'],
    ...['template_name_blocked', 'template_name_taken', 'template_not_editable', 'template_paused'],
    ...['template_policy_violated', 'template_quota_reached', 'template_text_too_long', 'template_too_many_variables'],
    ...['template_unknown', 'template_variable_at_edge'],
  ],
  nothing: [
    ...['opted_out', 'marketing_stopped', 'recipient_blocked', 'recipient_erased', 'recipient_in_experiment'],
    ...['message_erased', 'country_not_allowed'],
  ],
};

const GROUP_OF = new Map(
  Object.entries(CODES).flatMap(([group, codes]) => codes.map((code) => [code, group as FailureGroup])),
);

/** The group of an error code; null for a code of a newer service. */
export function groupOf(code: string): FailureGroup | null {
  return GROUP_OF.get(code) ?? null;
}

interface Failure {
  errorCode: string;
  retryable: boolean;
}

/** Whether the same message to the same number may arrive: the service would also repeat what first needs a correction. */
export function isWorthRetrying(failure: Failure): boolean {
  const place = placeOf(failure);
  return failure.retryable && (place === 'later' || place === 'account');
}

/** The codes that are worth retrying; null if all or none of those that can be retried are. */
export function worthwhileCodes<F extends Failure>(failures: readonly F[]): F['errorCode'][] | null {
  const codes = failures.filter(isWorthRetrying).map(({ errorCode }) => errorCode);
  const isMixed = codes.length > 0 && codes.length < failures.filter(({ retryable }) => retryable).length;
  return isMixed ? codes : null;
}

/** The failures of each group that has any. */
export function inGroups<F extends Failure>(failures: readonly F[]) {
  const placed = failures.map((failure) => ({ failure, place: placeOf(failure) }));
  return FAILURE_GROUPS.map((one) => ({
    ...one,
    failures: placed.flatMap(({ failure, place }) => (place === one.group ? [failure] : [])),
  })).filter(({ failures: some }) => some.length > 0);
}

/** Unknown codes are placed by whether they can be retried. */
function placeOf({ errorCode, retryable }: Failure): FailureGroup {
  return groupOf(errorCode) ?? (retryable ? 'later' : 'account');
}
