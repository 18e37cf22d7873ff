import type { SecretBox } from './secret-box';

/** What encrypting secrets anew did. */
export interface ResealedSecrets {
  /** Secrets that are encrypted with the current key now and were not before. */
  resealed: number;
  /** Secrets that were encrypted with the current key already. */
  current: number;
  /** Accounts with a secret that no key decrypts. */
  unreadable: string[];
}

/** A stored secret; `replace` tells how many rows it changed. */
export interface StoredSecret {
  accountId: string;
  sealed: string;
  purpose: string;
  replace: (anew: string) => Promise<{ affected: number }>;
  /** Called if no key decrypts it and such secrets are to be discarded. */
  discard: () => Promise<unknown>;
}

/** Encrypts stored secrets with the current key, one after the other, also while the service runs. */
export class Resealing {
  readonly result: ResealedSecrets = { resealed: 0, current: 0, unreadable: [] };

  constructor(
    private readonly box: SecretBox,
    private readonly discardUnreadable: boolean,
  ) {}

  async take({ accountId, sealed, purpose, replace, discard }: StoredSecret): Promise<void> {
    const secret = this.box.openOrNull(sealed, purpose);
    if (secret === null) {
      if (!this.result.unreadable.includes(accountId)) this.result.unreadable.push(accountId);
      if (this.discardUnreadable) await discard();
    } else if (this.box.isCurrent(sealed)) {
      this.result.current++;
    } else {
      this.result.resealed += (await replace(this.box.seal(secret, purpose))).affected;
    }
  }
}
