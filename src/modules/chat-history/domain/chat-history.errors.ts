import { domainError } from '../../../kernel/domain-error';
import { MAX_QUICK_REPLIES } from './quick-reply';

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

/** The person of the conversation has never written. */
export class NothingReceivedError extends domainError({
  code: 'nothing_received',
  kind: 'conflict',
  when: 'A conversation is marked as unread, but the person has never written.',
  remedy: 'None is needed: only conversations with people who wrote are read or unread.',
}) {
  constructor() {
    super('This person has never written, so there is no message to mark as unread.');
  }
}

/** No such quick reply in this account. */
export class QuickReplyNotFoundError extends domainError({
  code: 'quick_reply_not_found',
  kind: 'not_found',
  when: 'No quick reply of the account has this id.',
  remedy: 'List the quick replies with `GET /quick-replies`.',
}) {
  constructor() {
    super('No quick reply has this id. List the quick replies to find the right one.');
  }
}

/** Another quick reply of the account has the name, ignoring case. */
export class QuickReplyNameTakenError extends domainError({
  code: 'quick_reply_name_taken',
  kind: 'conflict',
  when: 'Another quick reply has this name.',
  remedy: 'Choose another name, or change that quick reply.',
}) {
  constructor() {
    super('Another quick reply of this account has this name. Choose another name.');
  }
}

/** The account has MAX_QUICK_REPLIES quick replies. */
export class QuickReplyLimitError extends domainError({
  code: 'quick_reply_limit',
  kind: 'conflict',
  when: `The account has ${MAX_QUICK_REPLIES} quick replies.`,
  remedy: 'Delete unused ones.',
}) {
  constructor() {
    super(`An account can have ${MAX_QUICK_REPLIES} quick replies. Delete unused ones.`);
  }
}
