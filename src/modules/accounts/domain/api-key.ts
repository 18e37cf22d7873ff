import { hash, randomBytes } from 'node:crypto';
import type { Scope } from '../../../kernel/caller';

/** A key without its secret. */
export interface ApiKey extends ApiKeyFields {
  id: string;
  accountId: string;
  prefix: string;
  lastUsedAt: Date | null;
  /** When the previous secret expires; null: it is not valid. */
  previousKeyValidUntil: Date | null;
  createdAt: Date;
}

/** The fields of a key that a client sets. */
export interface ApiKeyFields {
  name: string;
  scopes: readonly Scope[];
  /** null: the key never expires. */
  expiresAt: Date | null;
  /** Addresses and CIDR ranges from which it may be used; empty: any. */
  allowedIps: readonly string[];
}

/** The stored part of a secret: the prefix, which finds the key, and the hash, which verifies it. */
export interface KeyProof {
  prefix: string;
  secretHash: Buffer;
}

const GENERATED_FORMAT = /^mta_([0-9a-f]{8})_[\w-]{43}$/;

/** Generates a key: `mta_<8 characters>_<43 characters of 32 random bytes>`. */
export function generateApiKey(): string {
  return `mta_${randomBytes(4).toString('hex')}_${randomBytes(32).toString('base64url')}`;
}

/** Whether the text has the format of generated keys. */
export function isGeneratedKey(text: string): boolean {
  return GENERATED_FORMAT.test(text);
}

/** The stored part of a key. A key in another format, which only the environment can set, has 8 digits of its hash as prefix. */
export function proofOf(key: string): KeyProof {
  const secretHash = hash('sha256', key, 'buffer');
  return { prefix: GENERATED_FORMAT.exec(key)?.[1] ?? secretHash.toString('hex').slice(0, 8), secretHash };
}
