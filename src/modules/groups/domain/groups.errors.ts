import { domainError, type FieldError } from '../../../kernel/domain-error';
import { ValidationFailedError } from '../../../kernel/request.errors';

/** No such group in this account. */
export class GroupNotFoundError extends domainError({
  code: 'group_not_found',
  kind: 'not_found',
  when: 'No contact group of the account has this id.',
  remedy: 'List the groups with `GET /groups`.',
}) {
  constructor() {
    super('No contact group has this id. List the groups to find the right one.');
  }
}

/** Another group of the account has the name, ignoring case. */
export class GroupNameTakenError extends domainError({
  code: 'group_name_taken',
  kind: 'conflict',
  when: 'Another contact group has this name.',
  remedy: 'Choose another name.',
}) {
  constructor() {
    super('Another contact group of this account has this name. Choose another name.');
  }
}

/** No such contact in this account. */
export class ContactNotFoundError extends domainError({
  code: 'contact_not_found',
  kind: 'not_found',
  when: 'No contact of the account has this id.',
  remedy: 'List the contacts with `GET /contacts`.',
}) {
  constructor() {
    super('No contact has this id. List the contacts to find the right one.');
  }
}

/** Another contact of the account has the phone number; `contactId` says which, unless it has since been deleted. */
export class ContactPhoneTakenError extends domainError({
  code: 'contact_phone_taken',
  kind: 'conflict',
  when: 'Another contact has this phone number.',
  remedy: 'Change the contact in `contactId` instead.',
  extra: {
    contactId: {
      type: 'string',
      description: 'the existing contact',
      example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12',
      format: 'uuid',
    },
  },
}) {
  override readonly extra: { contactId?: string };

  constructor(contactId?: string) {
    super('Another contact of this account has this phone number. Change that contact instead.');
    this.extra = contactId === undefined ? {} : { contactId };
  }
}

/** Another contact of the account has the user id; `contactId` says which, unless it has since been deleted. */
export class ContactUserIdTakenError extends domainError({
  code: 'contact_user_id_taken',
  kind: 'conflict',
  when: 'Another contact has this user id.',
  remedy: 'Change the contact in `contactId` instead.',
  extra: {
    contactId: {
      type: 'string',
      description: 'the existing contact',
      example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12',
      format: 'uuid',
    },
  },
}) {
  override readonly extra: { contactId?: string };

  constructor(contactId?: string) {
    super('Another contact of this account has this user id. Change that contact instead.');
    this.extra = contactId === undefined ? {} : { contactId };
  }
}

/** A contact or phone number is invalid. */
export class ContactInvalidError extends ValidationFailedError {
  constructor(errors: readonly [FieldError, ...FieldError[]]) {
    super(errors, errors.map(({ message }) => message).join(' '));
  }
}

/** The number has not opted out of this account's messages. */
export class OptOutNotFoundError extends domainError({
  code: 'opt_out_not_found',
  kind: 'not_found',
  when: 'This phone number is not opted out.',
  remedy: 'List the opt-outs with `GET /opt-outs`.',
}) {
  constructor() {
    super('This phone number has not opted out. List the opt-outs to find the right one.');
  }
}

/** The keywords are invalid. */
export class KeywordsInvalidError extends ValidationFailedError {
  constructor(errors: readonly FieldError[]) {
    super(errors, errors.map(({ message }) => message).join(' '));
  }
}
