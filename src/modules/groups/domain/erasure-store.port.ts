import type { ErasedPerson, Erasure } from './erasure';

/** Duration of an owner's lease on an erasure. */
export const ERASURE_LEASE_SECONDS = 60;

/** Stores unfinished erasures. An owner whose lease has expired cannot change them. */
export abstract class ErasureStore {
  /** Stores a new erasure without `requestedAt`, leased to `owner`; joins the surrounding unit of work. */
  abstract begin(id: string, person: Omit<ErasedPerson, 'requestedAt'>, owner: string): Promise<void>;
  /**
   * Sets `requestedAt` of a committed erasure, once: everything that begins before it is erased too. One second is added for clocks that
   * differ from the database's. Returns null if the owner has lost the lease.
   */
  abstract setRequestedAt(id: string, owner: string): Promise<Date | null>;
  /** Leases the erasure that has been due longest, of any account, to `owner`; null if none is due. */
  abstract claimDue(owner: string): Promise<Erasure | null>;
  /** Phones of the account's unfinished erasures; with `since` those whose `requestedAt` is later or not set yet. */
  abstract peopleBeingErased(accountId: string, since: Date | null): Promise<string[]>;
  /** Stores the progress and renews the lease; returns false if the lease was lost. */
  abstract progress(id: string, owner: string, positions: Erasure['positions']): Promise<boolean>;
  /** Releases the erasure, due again in `ms`. */
  abstract postpone(id: string, owner: string, ms: number): Promise<void>;
  /** Releases the erasure, due again in `ms` for another complete round. */
  abstract nextRound(id: string, owner: string, ms: number): Promise<void>;
  /** Completes the erasure and deletes the person's number and user id from it. */
  abstract complete(id: string, owner: string): Promise<void>;
}
