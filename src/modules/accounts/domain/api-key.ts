import { hash, randomBytes } from 'node:crypto';
import type { Scope } from '../../../kernel/caller';

/** A key without its secret. */
export interface ApiKey extends ApiKeyFields {
  id: string;
  accountId: string;
  prefix: string;
  lastUsedAt: Date | null;
  /** Until when the secret before the last rotation is valid; null: it is not. */
  previousKeyValidUntil: Date | null;
  createdAt: Date;
}

/** The fields of a key that a client sets. */
export interface ApiKeyFields {
  name: string;
  scopes: readonly Scope[];
  /** null: the key never expires. */
  expiresAt: Date | null;
  /** Addresses and CIDR ranges from which it may be used; empty: from anywhere. */
  allowedIps: readonly string[];
}

/** What is stored of a secret: the prefix that finds the key, and the hash that proves it. */
export interface KeyProof {
  prefix: string;
  secretHash: Buffer;
}

const OWN_FORM = /^mta_([0-9a-f]{8})_[\w-]{43}$/;

/** A new key: `mta_<8 characters>_<43 characters of 32 random bytes>`. */
export function makeApiKey(): string {
  return `mta_${randomBytes(4).toString('hex')}_${randomBytes(32).toString('base64url')}`;
}

/** Whether a text has the form of keys that this service generates. */
export function isOwnKeyForm(text: string): boolean {
  return OWN_FORM.test(text);
}

/** What is stored of a key. A key of another form, which only the environment can set, has 8 digits of its hash as prefix. */
export function proofOf(key: string): KeyProof {
  const secretHash = hash('sha256', key, 'buffer');
  return { prefix: OWN_FORM.exec(key)?.[1] ?? secretHash.toString('hex').slice(0, 8), secretHash };
}
