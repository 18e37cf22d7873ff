import type { ErasedPerson, Erasure } from '../../src/modules/groups/domain/erasure';
import { ErasureStore } from '../../src/modules/groups/domain/erasure-store.port';

/** Erasures that are never resumed: for tests in which every part finishes immediately. */
export class InMemoryErasures extends ErasureStore {
  readonly begun: { id: string; person: Omit<ErasedPerson, 'requestedAt'> }[] = [];

  begin(id: string, person: Omit<ErasedPerson, 'requestedAt'>): Promise<void> {
    this.begun.push({ id, person });
    return Promise.resolve();
  }

  setRequestedAt(): Promise<Date> {
    return Promise.resolve(new Date());
  }

  claimDue(): Promise<Erasure | null> {
    return Promise.resolve(null);
  }

  peopleBeingErased(accountId: string): Promise<string[]> {
    const people = this.begun.map(({ person }) => person).filter((person) => person.accountId === accountId);
    return Promise.resolve(people.flatMap(({ phone, userId }) => [phone, userId].filter((key) => key !== null)));
  }

  progress(): Promise<boolean> {
    return Promise.resolve(true);
  }

  postpone(): Promise<void> {
    return Promise.resolve();
  }

  nextRound(): Promise<void> {
    return Promise.resolve();
  }

  complete(): Promise<void> {
    return Promise.resolve();
  }
}
