import { DomainError, type FieldFault } from '../../../kernel/domain-error';

/** No such group in this account. */
export class GroupNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'group_not_found';

  constructor() {
    super('There is no contact group with this id. List the groups to find the right one.');
  }
}

/** Another group of the account has the name, in this or another case. */
export class GroupNameTakenError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'group_name_taken';

  constructor() {
    super('Another contact group of this account has this name. Choose another name.');
  }
}

/** No such contact in this account. */
export class ContactNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'contact_not_found';

  constructor() {
    super('There is no contact with this id. List the contacts to find the right one.');
  }
}

/** Another contact of the account has the phone number; `contactId` says which, unless it is gone by now. */
export class ContactPhoneTakenError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'contact_phone_taken';
  override readonly extra: { contactId?: string };

  constructor(contactId?: string) {
    super('Another contact of this account has this phone number. Change that contact instead.');
    this.extra = contactId === undefined ? {} : { contactId };
  }
}

/** Another contact of the account has the user id; `contactId` says which, unless it is gone by now. */
export class ContactUserIdTakenError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'contact_user_id_taken';
  override readonly extra: { contactId?: string };

  constructor(contactId?: string) {
    super('Another contact of this account has this user id. Change that contact instead.');
    this.extra = contactId === undefined ? {} : { contactId };
  }
}

/** A contact or a phone number that cannot be stored as given. */
export class ContactInvalidError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'validation_failed';
  override readonly faults: readonly FieldFault[];

  constructor(faults: readonly [FieldFault, ...FieldFault[]]) {
    super(faults.map(({ message }) => message).join(' '));
    this.faults = faults;
  }
}

/** The number has not opted out of this account's messages. */
export class OptOutNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'opt_out_not_found';

  constructor() {
    super('This phone number has not opted out. List the opt-outs to find the right one.');
  }
}

/** Keywords that cannot hold as given. */
export class KeywordsInvalidError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'validation_failed';
  override readonly faults: readonly FieldFault[];

  constructor(faults: readonly FieldFault[]) {
    super(faults.map(({ message }) => message).join(' '));
    this.faults = faults;
  }
}
