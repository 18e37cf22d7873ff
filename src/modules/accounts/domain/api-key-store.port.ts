import type { Page, PageRequest } from '../../../kernel/page';
import type { AccountStatus } from './account';
import type { ApiKey, ApiKeyFields, KeyProof } from './api-key';

/** A key with the data that authenticates a request. */
export interface StoredKey {
  key: ApiKey;
  /** The hash of the presented secret, which is the current or the previous one. */
  secretHash: Buffer;
  /** When the previous secret expires; null for the current one. */
  secretValidUntil: Date | null;
  plan: string;
  accountStatus: AccountStatus;
}

/** The keys of all accounts. A revoked key stays stored, but no method returns or changes it. */
export abstract class ApiKeyStore {
  /** Stores a new key; returns false if another key has the same prefix. */
  abstract add(id: string, accountId: string, fields: ApiKeyFields, proof: KeyProof): Promise<boolean>;
  /** Newest first. */
  abstract page(accountId: string, request: PageRequest): Promise<Page<ApiKey>>;
  abstract byId(accountId: string, id: string): Promise<ApiKey | null>;
  /** Changes the given fields; does nothing if the key does not exist. */
  abstract change(id: string, change: Partial<ApiKeyFields>): Promise<void>;
  /**
   * Replaces the key's secret; the replaced one stays valid until `oldUntil`. Returns false if another key has the same prefix.
   */
  abstract replaceProof(id: string, proof: KeyProof, oldUntil: Date | null): Promise<boolean>;
  abstract revoke(id: string, at: Date): Promise<void>;
  /** For each prefix the key whose current or previous secret has it; null: none. */
  abstract byPrefixes(prefixes: readonly string[]): Promise<(StoredKey | null)[]>;
  /** Records the use of a key, at most once a minute. */
  abstract markUsed(id: string, at: Date): Promise<void>;

  /** Like `byPrefixes`, for one prefix. */
  async byPrefix(prefix: string): Promise<StoredKey | null> {
    return (await this.byPrefixes([prefix]))[0]!;
  }
}
