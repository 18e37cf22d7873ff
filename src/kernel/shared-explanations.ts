import type { Explanation } from './explanation';

/** Codes in more than one closed list, with one explanation for all of them. */
export const SHARED_EXPLANATIONS = {
  account_rate_limited: {
    when: 'The platform is rate-limiting the whole business account.',
    remedy: 'Nothing: the service slows down and continues automatically.',
  },
  parameter_invalid: {
    when: 'A value has the wrong type or format, is too long, or has characters that the platform does not accept.',
    remedy: 'Correct it as `message` says, then send it again.',
  },
  parameter_missing: {
    when: 'A required value is missing, such as that of a placeholder.',
    remedy: 'Fill in the cell, add the parameter to the contact, or add a value or default to the request.',
  },
  platform_rejected: {
    when: 'The platform permanently refused the message or file, with an error that has no code of its own here.',
    remedy:
      'Read `message` and `platformCode`, correct the request, and send it with another `Idempotency-Key`. If the ' +
      'platform code is unclear, report it to the operator.',
  },
  platform_unavailable: {
    when: 'The platform could not be reached; nothing was sent.',
    remedy: 'Send it again a little later.',
  },
  recipient_id_not_allowed: {
    when: 'The recipient of an authentication template was given by user id.',
    remedy: "Send to the person's phone number.",
  },
  sender_deleted: {
    when: 'The sender of the message, job or conversation was deleted, from the account or on the platform.',
    remedy:
      'Send from another sender: cancel the job and retry it with `senderId`; in a conversation, send a template. If there is none, ' +
      'ask the operator of the service to give the account one.',
  },
  sending_paused: {
    when: 'The operator paused sending for the account.',
    remedy: 'Ask the operator to resume sending. Jobs continue automatically then; requests must be sent again.',
  },
  template_disabled: {
    when: 'The platform permanently disabled the template.',
    remedy: 'Send to the remaining recipients with another template.',
  },
  template_name_taken: {
    when: 'A template with this name and language exists, or existed until recently.',
    remedy: 'Choose another name, or edit the existing template.',
  },
  template_not_approved: {
    when: 'The template is not, or no longer, approved.',
    remedy:
      "Wait for the platform's approval; waiting jobs resume automatically. If the platform has approved the " +
      'template since, sync the templates.',
  },
  template_paused: {
    when: 'The platform paused the template because of its low quality.',
    remedy: 'Check its quality and wait until it is approved again; waiting jobs resume automatically.',
  },
  text_too_long: {
    when:
      "With these values a text of the message exceeds the platform's limit: header 60 characters, body 1,024 " +
      '(600 with an offer, 160 with a product header or on a card), button URL 2,000.',
    remedy: 'Shorten the values.',
  },
  window_closed: {
    when: "The contact's last message is older than 24 hours, or the contact has never written.",
    remedy: 'Send a template; nothing else can be sent now.',
  },
} as const satisfies Readonly<Record<string, Explanation>>;
