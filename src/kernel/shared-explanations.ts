import type { Explanation } from './explanation';

/** Codes that more than one closed list has. Each is explained here, so that clients read the same wherever they meet it. */
export const SHARED_EXPLANATIONS = {
  account_rate_limited: {
    when: 'The platform limits the calls of the whole business account.',
    remedy: 'Nothing: the service sends more slowly and continues by itself.',
  },
  parameter_invalid: {
    when: 'A value is of the wrong type or form, too long, or has characters that the platform does not accept.',
    remedy: 'Correct it as `message` says, then send it again.',
  },
  parameter_missing: {
    when: 'A value that the message needs is missing, such as that of a placeholder.',
    remedy: 'Fill the cell, or give the contact the parameter or the request a value or a default for it.',
  },
  platform_rejected: {
    when: 'The platform refused the message or the file for good, with an error that has no code of its own.',
    remedy:
      'Read `message` and `platformCode`, correct the request, and send it with another `Idempotency-Key`. Report the platform code to the operator if it is not clear.',
  },
  platform_unavailable: {
    when: 'The platform could not be reached; nothing was sent.',
    remedy: 'Send it again a little later.',
  },
  sending_paused: {
    when: 'The operator paused sending for the account.',
    remedy: 'Ask the operator. Jobs continue by themselves once sending is resumed; requests are to be sent again.',
  },
  template_disabled: {
    when: 'The platform disabled the template for good.',
    remedy: 'Send to the others with another template.',
  },
  template_name_taken: {
    when: 'A template with this name and language exists, or existed until recently.',
    remedy: 'Choose another name, or edit the template that has it.',
  },
  template_not_approved: {
    when: 'The template is not approved, or no longer.',
    remedy:
      'Wait for the approval of the platform: jobs that wait for it resume by themselves. If it has approved the template since, sync the templates.',
  },
  template_paused: {
    when: 'The platform paused the template because of its low quality.',
    remedy: 'Look at its quality and wait until it is approved again: jobs that wait for it resume by themselves.',
  },
  text_too_long: {
    when: 'A text of the message becomes longer with these values than the platform takes: the header 60 characters, the body 1,024, the URL of a button 2,000.',
    remedy: 'Shorten the values.',
  },
  window_closed: {
    when: 'The last message of the contact is older than 24 hours, or the contact has never written.',
    remedy: 'Send a template: nothing else can be sent now.',
  },
} as const satisfies Readonly<Record<string, Explanation>>;
