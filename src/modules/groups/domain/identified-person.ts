import type { PhoneNumber } from '../../../kernel/phone-number';

/** A person of an account by user id. */
export interface KnownByUserId {
  accountId: string;
  userId: string;
}

/** A person of an account whose phone number and user id are known. */
export interface IdentifiedPerson extends KnownByUserId {
  phone: PhoneNumber;
}
