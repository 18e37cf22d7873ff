import { Injectable } from '@nestjs/common';
import type { PhoneNumber } from '../../../kernel/phone-number';
import { isUserId } from '../../../kernel/user-id';
import type { IdentifiedPerson, KnownByUserId } from './identified-person';
import type { Person } from './opt-out';
import { KnownNumberStore } from './known-number-store.port';

/**
 * The phone numbers of people given by user id. Once the platform has reported both, the number identifies the person: opt-outs,
 * tier, conversations and jobs then use it.
 */
@Injectable()
export class KnownNumbers {
  constructor(private readonly store: KnownNumberStore) {}

  /** The numbers by user id, of those that are known; ignores phone numbers among the people. */
  async of(accountId: string, people: readonly string[]): Promise<ReadonlyMap<string, PhoneNumber>> {
    const found = await this.find(people.filter(isUserId).map((userId) => ({ accountId, userId })));
    return new Map(found.map(({ userId, phone }) => [userId, phone]));
  }

  /** The person with the number of the user id, if it is known. */
  async identified(accountId: string, { phone, userId }: Person): Promise<Person> {
    if (phone !== null || userId === null) return { phone, userId };
    return { phone: (await this.of(accountId, [userId])).get(userId) ?? null, userId };
  }

  /** Those of the people whose number is known. */
  find(people: readonly KnownByUserId[]): Promise<IdentifiedPerson[]> {
    return people.length === 0 ? Promise.resolve([]) : this.store.find(people);
  }
}
