import { type PhoneNumber, phoneKey } from '../../../kernel/phone-number';

/** Who recorded it: the account through the API, the person with a keyword, or the platform for the person. */
export type OptOutSource = 'Api' | 'Keyword' | 'Platform';

/** What is not wanted: nothing at all, or no marketing. */
export type OptOutScope = 'All' | 'Marketing';

/** A person as the platform names them: by a phone number, by a user id of this business, or by both. */
export interface Person {
  phone: PhoneNumber | null;
  userId: string | null;
}

/** A person whom an account must not write to; it stands by itself, whether or not there is a contact. */
export interface OptOut extends Person {
  scope: OptOutScope;
  source: OptOutSource;
  createdAt: Date;
}

/** All that is known of a person's will in one scope. */
export interface OptOutRecord extends OptOut {
  /** See personKey. */
  person: string;
  /** Whether the opt-out stands. */
  stopped: boolean;
  /** When the person last said to stop and to go on, in whole seconds, as far as it was heard. */
  stopAt: Date | null;
  startAt: Date | null;
}

/** What a person said: to stop, or to go on. */
export interface OptOutWord {
  stop: boolean;
  source: OptOutSource;
  at: Date;
}

/** What a person is known by here: one key for all forms of a phone number, the user id where there is no number. */
export function personKey({ phone, userId }: Person): string | null {
  return phone === null ? userId : phoneKey(phone);
}

/**
 * The record after a word. The latest word counts, in whatever order they are heard and however often; of the same second
 * the one heard last, since the platform tells no more than seconds. What the account recorded is taken back by a later
 * word of the person, or by the account.
 */
export function heard(record: OptOutRecord, { stop, source, at }: OptOutWord): OptOutRecord {
  const second = secondOf(at);
  if (stop) {
    if (record.stopAt !== null && second <= record.stopAt) return record;
    const known = { ...record, stopAt: second };
    const isTakenBack = record.startAt !== null && second < record.startAt;
    return record.stopped || isTakenBack ? known : { ...known, stopped: true, source, createdAt: at };
  }
  if (record.startAt !== null && second <= record.startAt) return record;
  const isOlder =
    (record.stopAt !== null && second < record.stopAt) ||
    (record.source === 'Api' && second < secondOf(record.createdAt));
  return { ...record, startAt: second, stopped: record.stopped && isOlder };
}

/** The record of a person with what was recorded of them under another name. */
export function united(record: OptOutRecord, other: OptOutRecord): OptOutRecord {
  const stop = other.stopAt && { stop: true, source: other.source, at: other.stopAt };
  const start = other.startAt && { stop: false, source: other.source, at: other.startAt };
  // Of the same second, the one that holds was heard last.
  const words = other.stopped ? [start, stop] : [stop, start];
  const after = words.filter((word) => word !== null).reduce(heard, record);
  if (after.stopped || !other.stopped || other.source !== 'Api') return after;
  return { ...after, stopped: true, source: 'Api', createdAt: other.createdAt };
}

/** The beginning of the second. */
export function secondOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000);
}
