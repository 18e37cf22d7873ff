import { domainError } from '../../../kernel/domain-error';

/** No such conversation in this account. */
export class ConversationNotFoundError extends domainError({
  code: 'conversation_not_found',
  kind: 'not_found',
  when: 'No conversation of the account has this id.',
  remedy: 'List the conversations with `GET /conversations`.',
}) {
  constructor() {
    super('No conversation has this id. List the conversations to find the right one.');
  }
}
