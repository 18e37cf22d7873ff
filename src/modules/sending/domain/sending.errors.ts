import { domainError } from '../../../kernel/domain-error';
import { PlatformRejectedError, PlatformUnavailableError } from '../../../kernel/platform.errors';
import { remedyOfMessage } from '../../../kernel/problem-remedies';
import { SHARED_EXPLANATIONS } from '../../../kernel/shared-explanations';
import { AccountWithoutSenderError } from '../../accounts/domain/accounts.errors';
import type { Problem } from './send-state';
import { MessageNotFoundError } from '../../messages/domain/messages.errors';

/** The recipient has opted out. */
export class RecipientOptedOutError extends domainError({
  code: 'recipient_opted_out',
  kind: 'unprocessable',
  when: 'The recipient opted out of messages, or of marketing messages if this is one.',
  remedy:
    "Do not send. Delete the opt-out only at the person's request. A reply may answer what the person wrote since, with `despiteOptOut`.",
}) {
  constructor() {
    super("The recipient has opted out of messages. Delete the opt-out only at the person's request.");
  }
}

/**
 * The platform permanently refused the message, with the code shown in the history. The response is stored under an
 * Idempotency-Key, because the message exists.
 */
export class MessageRejectedError extends PlatformRejectedError {
  override readonly code: string;
  override readonly keepAnswer = true;
  override readonly extra: Readonly<Record<string, unknown>>;

  constructor({ code, message, platformCode }: Problem, messageId: string) {
    const reason = `The platform refused the message: ${message}`;
    const remedy = remedyOfMessage(code);
    super(remedy === '' ? reason : `${reason.replace(/(?<![.!?])$/, '.')} ${remedy}`);
    this.code = code;
    this.extra = { platformCode, messageId };
  }
}

/** The platform was certainly not reached, so nothing was sent. */
export class NothingSentError extends PlatformUnavailableError {
  constructor() {
    super('The messaging platform cannot be reached. Nothing was sent: it is safe to send the same request again.');
  }
}

/** The operator has paused all sending of the account. */
export class SendingPausedError extends domainError({
  code: 'sending_paused',
  kind: 'unavailable',
  ...SHARED_EXPLANATIONS.sending_paused,
}) {
  override readonly retryAfterSeconds = 60;

  constructor() {
    super('The operator has paused sending for this account. Nothing was sent: send again once it is resumed.');
  }
}

/**
 * More than 24 hours have passed since the person wrote. If the platform reported it, the message exists and has
 * failed.
 */
export class WindowClosedError extends domainError({
  code: 'window_closed',
  kind: 'unprocessable',
  ...SHARED_EXPLANATIONS.window_closed,
  extra: {
    windowExpiresAt: {
      type: 'string',
      description: 'when the window ended; null if the contact has never written',
      example: '2026-11-20T19:15:00.000Z',
      format: 'date-time',
      nullable: true,
    },
    messageId: {
      type: 'string',
      description: 'the message in the history, if the platform refused it',
      example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
      format: 'uuid',
    },
  },
}) {
  override readonly keepAnswer: boolean;
  override readonly extra: Readonly<Record<string, unknown>>;

  constructor(windowExpiresAt: Date | null, messageId: string | null = null) {
    super(
      windowExpiresAt === null
        ? 'The person has never written to you: only a template can be sent. Use POST /send-template.'
        : 'More than 24 hours have passed since the person wrote: only a template can be sent. Use POST /send-template.',
    );
    this.keepAnswer = messageId !== null;
    const known = { windowExpiresAt: windowExpiresAt?.toISOString() ?? null };
    this.extra = messageId === null ? known : { ...known, messageId };
  }
}

/** The message in `field` that a reply refers to is not in its conversation. */
export class AnsweredMessageNotFoundError extends MessageNotFoundError {
  constructor(field: string) {
    super(`No message of this conversation has the id in ${field}. Use the id of a message in this conversation.`);
  }
}

/** The platform has not accepted the message in `field` that a reply refers to. */
export class AnsweredMessageNotSentError extends domainError({
  code: 'message_not_sent',
  kind: 'unprocessable',
  when: 'The platform has not accepted the message to answer.',
  remedy: 'Wait until the message is `Sent`, or omit the reference to it.',
}) {
  constructor(field: string) {
    super(
      `The platform has not accepted the message in ${field}, so it cannot be replied to. Wait until it is Sent, or ` +
        `omit the field.`,
    );
  }
}

/** The message in `field` that a reply refers to went through another number of the account, where the platform's id of it is valid. */
export class AnsweredMessageOfOtherSenderError extends domainError({
  code: 'message_of_other_sender',
  kind: 'unprocessable',
  when: 'The message to quote or react to was sent or received by another phone number of the account than the one that replies.',
  remedy: 'Omit `replyTo`, or answer a message that has the same `senderId` as the conversation.',
}) {
  constructor(field: string) {
    super(
      `The message in ${field} was sent or received by another phone number of your account than the one that the ` +
        `person wrote to last, which replies. Use a message with the senderId of the conversation, or omit the field.`,
    );
  }
}

/** Errors common to all sends of one message, but for refusals of the platform. */
export const MESSAGE_SEND_ERRORS = [
  RecipientOptedOutError,
  AccountWithoutSenderError,
  PlatformUnavailableError,
  SendingPausedError,
];
