/** Ensures that only one process syncs an account; the lease of a killed process expires. */
export abstract class SyncLeases {
  /** Acquires the account's lease for `seconds`; returns false while another owner has it. */
  abstract acquire(accountId: string, owner: string, seconds: number): Promise<boolean>;
  /** Renews the lease; returns false if it was lost. */
  abstract renew(accountId: string, owner: string, seconds: number): Promise<boolean>;
  /** Releases the lease, if the owner still has it. */
  abstract release(accountId: string, owner: string): Promise<void>;
}
