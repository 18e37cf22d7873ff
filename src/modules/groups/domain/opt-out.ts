import type { PhoneNumber } from '../../../kernel/phone-number';
import { isUserId } from '../../../kernel/user-id';

/** The form of ids in cursors of opt-outs: a person and a scope. */
export const OPT_OUT_IDS = /^[\w.]+ (?:All|Marketing)$/;

/** Who recorded it: the account through the API, the person with a keyword, or the platform for the person. */
export type OptOutSource = 'Api' | 'Keyword' | 'Platform';

/** What a person can refuse: all messages, or only marketing. */
export const OPT_OUT_SCOPES = ['All', 'Marketing'] as const;
/** See OPT_OUT_SCOPES. */
export type OptOutScope = (typeof OPT_OUT_SCOPES)[number];

/** A person as identified by the platform: by phone number, by a user id for this business, or by both. */
export interface Person {
  phone: PhoneNumber | null;
  userId: string | null;
}

/** A person whose phone number or user id changed; at least one of the two is named before and after. */
export interface IdentityChange {
  before: Person;
  after: Person;
}

/** A person whom the account must not message; independent of contacts. */
export interface OptOut extends Person {
  scope: OptOutScope;
  source: OptOutSource;
  createdAt: Date;
}

/** The opt-out state of a person in one scope. */
export interface OptOutRecord extends OptOut {
  /** See personKey. */
  person: string;
  /** Whether the person has opted out. */
  stopped: boolean;
  /** When the person last opted out and in, in whole seconds, as far as it is known. */
  stopAt: Date | null;
  startAt: Date | null;
}

/** A person's choice to opt out or in. */
export interface OptOutChoice {
  stop: boolean;
  source: OptOutSource;
  at: Date;
}

/** The key of a person: the same for all forms of a phone number; the user id if there is no number. */
export function personKey({ phone, userId }: Person): string | null {
  return phone ?? userId;
}

/** The person with this key; `userId`: given beside it. */
export function personByKey(key: string, userId: string | null = null): Person {
  return isUserId(key) ? { phone: null, userId: userId ?? key } : { phone: key, userId };
}

/**
 * Applies a choice to the record. The latest choice wins, whatever the order of arrival; within the same second the one that
 * arrived last, since the platform's times are in seconds. Repetitions change nothing. An opt-out recorded by the account is
 * reverted by a later choice of the person, or by the account.
 */
export function applyChoice(record: OptOutRecord, { stop, source, at }: OptOutChoice): OptOutRecord {
  const second = secondOf(at);
  if (stop) {
    if (record.stopAt !== null && second <= record.stopAt) return record;
    const updated = { ...record, stopAt: second };
    const isReverted = record.startAt !== null && second < record.startAt;
    return record.stopped || isReverted ? updated : { ...updated, stopped: true, source, createdAt: at };
  }
  if (record.startAt !== null && second <= record.startAt) return record;
  const isOlder =
    (record.stopAt !== null && second < record.stopAt) ||
    (record.source === 'Api' && second < secondOf(record.createdAt));
  return { ...record, startAt: second, stopped: record.stopped && isOlder };
}

/** Merges the record of a person with one under another key. */
export function mergeRecords(record: OptOutRecord, other: OptOutRecord): OptOutRecord {
  const stop = other.stopAt && { stop: true, source: other.source, at: other.stopAt };
  const start = other.startAt && { stop: false, source: other.source, at: other.startAt };
  // Within the same second, the one in effect arrived last.
  const choices = other.stopped ? [start, stop] : [stop, start];
  const after = choices.filter((choice) => choice !== null).reduce(applyChoice, record);
  if (after.stopped || !other.stopped || other.source !== 'Api') return after;
  return { ...after, stopped: true, source: 'Api', createdAt: other.createdAt };
}

/** Rounds down to the second. */
export function secondOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000);
}
