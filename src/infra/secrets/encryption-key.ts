import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createPrivateFile, readPrivateFile } from './private-file';

/** The source of the key for stored secrets. */
export interface EncryptionKeySource {
  /** 32 bytes in base64; default: the file `encryption-key` in `dataDir`, created on first use. */
  encryptionKey?: string;
  /** 32 bytes in base64: the previous key, for decryption only. */
  previousEncryptionKey?: string;
  dataDir: string;
}

/** Returns the 32 bytes of the key; throws if the file is invalid, since a new key could not decrypt stored secrets. */
export function encryptionKeyFrom(source: EncryptionKeySource): Buffer {
  if (source.encryptionKey !== undefined) return Buffer.from(source.encryptionKey, 'base64');
  const path = join(source.dataDir, 'encryption-key');
  const text = readPrivateFile(path) ?? createPrivateFile(path, randomBytes(32).toString('base64'));
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== 32)
    throw new Error(`${path} does not contain a key of 32 bytes in base64. Restore it from a backup.`);
  return key;
}
