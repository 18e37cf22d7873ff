/** Keeps syncs of one account apart, over all processes; what a killed process held ends by itself. */
export abstract class SyncLeases {
  /** Takes the account's lease for `seconds`; false while another owner has it. */
  abstract take(accountId: string, owner: string, seconds: number): Promise<boolean>;
  /** Prolongs the lease; false when it was lost. */
  abstract renew(accountId: string, owner: string, seconds: number): Promise<boolean>;
  /** Gives the lease back, if it is still the owner's. */
  abstract release(accountId: string, owner: string): Promise<void>;
}
