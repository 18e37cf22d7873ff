import type { Page, PageRequest } from '../../../kernel/page';
import type { AccountStatus } from './account';
import type { ApiKey, ApiKeyFields, KeyProof } from './api-key';

/** A key with what is needed to judge a request that comes with it. */
export interface StoredKey {
  key: ApiKey;
  secretHash: Buffer;
  plan: string;
  accountStatus: AccountStatus;
}

/** The keys of all accounts. A revoked key stays stored, but no method returns or changes it. */
export abstract class ApiKeyStore {
  /** Stores a new key; false where another key has the same prefix. */
  abstract add(id: string, accountId: string, fields: ApiKeyFields, proof: KeyProof): Promise<boolean>;
  /** Newest first. */
  abstract page(accountId: string, request: PageRequest): Promise<Page<ApiKey>>;
  abstract byId(accountId: string, id: string): Promise<ApiKey | null>;
  /** Changes what is given; nothing where the key is gone. */
  abstract change(id: string, change: Partial<ApiKeyFields>): Promise<void>;
  /** Gives the key another secret; false where another key has the same prefix. */
  abstract replaceProof(id: string, proof: KeyProof): Promise<boolean>;
  abstract revoke(id: string, at: Date): Promise<void>;
  abstract byPrefix(prefix: string): Promise<StoredKey | null>;
  /** Notes the use of a key, unless one was noted less than a minute before. */
  abstract markUsed(id: string, at: Date): Promise<void>;
}
