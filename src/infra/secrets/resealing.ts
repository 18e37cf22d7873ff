import type { SecretBox } from './secret-box';

/** The result of re-encrypting the stored secrets. */
export interface ResealedSecrets {
  /** Secrets re-encrypted with the current key. */
  resealed: number;
  /** Secrets already encrypted with the current key. */
  current: number;
  /** Accounts with a secret that no key can decrypt. */
  unreadable: string[];
}

/** A stored secret; `replace` resolves with the number of changed rows. */
export interface StoredSecret {
  accountId: string;
  sealed: string;
  purpose: string;
  replace: (resealed: string) => Promise<{ affected: number }>;
  /** Called if no key can decrypt it and unreadable secrets are discarded. */
  discard: () => Promise<unknown>;
}

/** Re-encrypts stored secrets with the current key, one at a time, also while the service runs. */
export class Resealing {
  readonly result: ResealedSecrets = { resealed: 0, current: 0, unreadable: [] };

  constructor(
    private readonly box: SecretBox,
    private readonly discardUnreadable: boolean,
  ) {}

  async reseal({ accountId, sealed, purpose, replace, discard }: StoredSecret): Promise<void> {
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
