import { domainError } from '../../../kernel/domain-error';
import { ValidationFailedError } from '../../../kernel/request.errors';

/** No such message in this account, or it was deleted. */
export class MessageNotFoundError extends domainError({
  code: 'message_not_found',
  kind: 'not_found',
  when: 'No message of the account has this id.',
  remedy: 'List the messages with `GET /messages`. Messages are deleted after the retention period.',
}) {
  constructor(message = 'No message has this id: it belongs to another account, has expired, or was erased.') {
    super(message);
  }
}

/** `before` or `after` is not a message of the conversation. */
export class UnknownBoundError extends ValidationFailedError {
  constructor(fields: readonly string[]) {
    const errors = fields.map((field) => ({
      field,
      code: 'invalid_id' as const,
      message: `${field} must be the id of a message of this conversation, or an ISO 8601 time.`,
    }));
    super(errors, errors[0]?.message);
  }
}
