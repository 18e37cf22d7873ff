import { t } from '../language/translate';

/** What happened and what to do, for people at the console, of errors whose message has nothing to add. */
export const REMEDIES: Readonly<Record<string, string>> = {
  account_deleting: t('This account is being deleted. A deleted account cannot be restored.'),
  account_suspended: t('The operator of the service suspended this account. Ask them to activate it.'),
  beyond_own_key: t('This would exceed your own API key. Stay within its scopes, expiry and addresses.'),
  console_needs_tls: t('Open the console over HTTPS or, on the machine of the service, as http://localhost.'),
  contact_phone_taken: t('Another contact has this phone number. Change that one instead.'),
  cross_site_request: t('Open the console at its own address, in a current browser.'),
  group_empty: t('Nobody is left to send to: the groups are empty, or everyone in them is excluded.'),
  group_name_taken: t('Another group has this name. Choose another one.'),
  idempotency_in_progress: t('This is already being done. Wait a moment and reload the page.'),
  internal_error: t('The service failed unexpectedly. Try again later; if it fails again, report it to the operator.'),
  invalid_job_state: t('The state of the job has changed, and it no longer allows this. Reload the page.'),
  invalid_template_state: t(
    'WhatsApp does not allow this while the template is in its current state. Sync the templates.',
  ),
  key_in_use: t('A key cannot change or revoke itself. Sign in with another key.'),
  message_not_sent: t('WhatsApp has not accepted this message yet. Reply without the quote.'),
  message_of_other_sender: t('This message went through another number. Reply without the quote.'),
  nothing_received: t('This person has never written.'),
  phone_number_taken: t('Another sender already uses this phone number.'),
  quick_reply_name_taken: t('Another quick reply has this name. Choose another one.'),
  recipient_opted_out: t('This person has opted out. Send only if they ask you to remove the opt-out.'),
  recipients_expired: t(
    'The recipients of this job have expired and were deleted. Send to them again from a file or a group.',
  ),
  sender_deleted: t('The number that this belongs to was deleted. Send from another sender.'),
  sender_missing: t('The account has no sender yet. Ask the operator of the service to add a phone number.'),
  sending_paused: t(
    'The operator of the service paused sending. Ask them to resume it; jobs then continue by themselves.',
  ),
  sync_in_progress: t('A sync of the templates is already running.'),
  template_name_taken: t(
    'A template with this name and language exists, or existed until recently. Choose another name.',
  ),
  template_not_approved: t(
    'WhatsApp has not approved this template, or no longer. Wait for its approval, or sync the templates.',
  ),
  template_outcome_unknown: t(
    'WhatsApp did not answer, so the change may have been made. Sync the templates before you try again.',
  ),
  upload_stalled: t('The upload stalled. Try again.'),
  window_closed: t('The last message of this person is more than 24 hours old. Send a template instead.'),
};

/** The same in other languages than English, of errors whose English message gives more figures and names. */
export const TRANSLATIONS: Readonly<Record<string, string>> = {
  file_too_large: t('This file is too large. Choose a smaller one.'),
  media_not_ready: t('The file is still being downloaded. Try again in a few seconds.'),
  platform_unavailable: t('WhatsApp could not be reached; nothing was sent.'),
  quick_reply_limit: t('The account has as many quick replies as it can have. Delete unused ones.'),
  replay_in_progress: t('Events are already being redelivered. Wait until that has ended.'),
  service_unavailable: t('The service is busy or restarting. Try again in a moment.'),
  unsupported_file_type: t('Files of this type are not accepted. Choose another one.'),
  webhook_body_expired: t('The body is no longer available; bodies are stored for 7 days.'),
};
