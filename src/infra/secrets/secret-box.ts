import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A stored secret cannot be decrypted with this key. */
export class SecretUnreadableError extends Error {
  constructor(purpose: string) {
    super(`The stored secret "${purpose}" cannot be decrypted. Set ENCRYPTION_KEY to the value it was stored with.`);
    this.name = 'SecretUnreadableError';
  }
}

/** Encrypts secrets for the database with AES-256-GCM and a key of 32 bytes. */
export class SecretBox {
  constructor(private readonly key: Buffer) {
    if (key.length !== 32) throw new Error('The encryption key must have 32 bytes');
  }

  /** Encrypts a secret; it can be decrypted only for the same `purpose`, such as its row and column. */
  seal(secret: string, purpose: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
  }

  /** Decrypts a secret; throws SecretUnreadableError for another key, another purpose or a changed text. */
  open(text: string, purpose: string): string {
    const bytes = Buffer.from(text.replace(/^v1\./, ''), 'base64url');
    try {
      const opened = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([opened.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), opened.final()]).toString('utf8');
    } catch {
      throw new SecretUnreadableError(purpose);
    }
  }
}
