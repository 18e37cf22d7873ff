import type { Erasure } from './erasure';

/** How long an erasure stays with its owner without a sign of life. */
export const ERASURE_LEASE_SECONDS = 60;

/** Keeps the erasures that are not at their end. An owner whose lease is over changes nothing any more. */
export abstract class ErasureStore {
  /** Keeps a new erasure, held by `owner`; joins the surrounding unit of work. */
  abstract begin(erasure: Erasure, owner: string): Promise<void>;
  /** The erasure of any account that is due longest, held by `owner` from now on; null when there is none. */
  abstract takeDue(owner: string): Promise<Erasure | null>;
  /** Whom the account has asked to erase and who are not erased to the end, by phone. */
  abstract phonesUnderWay(accountId: string): Promise<string[]>;
  /** Keeps how far it is and renews the lease; false when it is no longer the owner's. */
  abstract progress(id: string, owner: string, positions: Erasure['positions']): Promise<boolean>;
  /** Lets it go until `ms` from now. */
  abstract putOff(id: string, owner: string, ms: number): Promise<void>;
  /** Lets it go until `ms` from now, when everything is to be done once more. */
  abstract nextRound(id: string, owner: string, ms: number): Promise<void>;
  /** Ends it, and forgets who it was. */
  abstract complete(id: string, owner: string): Promise<void>;
}
