import { ValidateBy, type ValidationArguments } from 'class-validator';
import { isInstant } from '../../../infra/http/validation/instant.decorator';
import { isUuid } from '../../../kernel/uuid';

/** The order `longestWaiting` is one of the conversations that await a reply. */
export function NeedsAwaitingReply(): PropertyDecorator {
  const validate = (order: unknown, args?: ValidationArguments) =>
    order !== 'longestWaiting' || (args?.object as { awaitingReply?: string }).awaitingReply === 'true';
  const defaultMessage = () => '$property longestWaiting requires awaitingReply=true';
  return ValidateBy({ name: 'needsAwaitingReply', validator: { validate, defaultMessage } });
}

/** The id of a message, or an ISO 8601 time. */
export function IsMessageBound(): PropertyDecorator {
  return ValidateBy({
    name: 'matches',
    validator: {
      validate: (value: unknown) => (typeof value === 'string' && isUuid(value)) || isInstant(value),
      defaultMessage: () =>
        '$property must be the id of a message of this conversation, or an ISO 8601 time such as 2026-01-15T09:30:00Z',
    },
  });
}
