import type { IdentifiedPerson, KnownByUserId } from '../../src/modules/groups/domain/identified-person';
import { KnownNumbers } from '../../src/modules/groups/domain/known-numbers';
import { KnownNumberStore } from '../../src/modules/groups/domain/known-number-store.port';

/** Known numbers by user id; `phoneOf` looks one up. */
export class InMemoryKnownNumbers extends KnownNumberStore {
  constructor(private readonly phoneOf: (accountId: string, userId: string) => string | null | undefined) {
    super();
  }

  find(people: readonly KnownByUserId[]): Promise<IdentifiedPerson[]> {
    return Promise.resolve(
      people.flatMap(({ accountId, userId }) => {
        const phone = this.phoneOf(accountId, userId);
        return phone ? [{ accountId, userId, phone }] : [];
      }),
    );
  }
}

/** Known numbers of an account where the platform has reported none. */
export function noKnownNumbers(): KnownNumbers {
  return new KnownNumbers(new InMemoryKnownNumbers(() => null));
}
