import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** `v2.<name of the key>.<sealed bytes>`; version 1 had no name, so every key is tried. */
const SEALED = /^(?:v1|v2\.([0-9a-f]{8}))\.([\w-]*)$/;

/** A stored secret cannot be decrypted with any of the keys. */
export class SecretUnreadableError extends Error {
  constructor(purpose: string) {
    super(
      `The stored secret "${purpose}" cannot be decrypted. Set ENCRYPTION_KEY, or ENCRYPTION_KEY_PREVIOUS, to the key ` +
        `it was stored with; if that key is lost, see "The encryption key" in docs/operations.md.`,
    );
    this.name = 'SecretUnreadableError';
  }
}

/** Encrypts secrets for the database with AES-256-GCM and a 32-byte key; also decrypts secrets of earlier keys. */
export class SecretBox {
  private readonly name: string;

  constructor(
    private readonly key: Buffer,
    private readonly previous: readonly Buffer[] = [],
  ) {
    if ([key, ...previous].some(({ length }) => length !== KEY_BYTES)) {
      throw new Error('The encryption key must have 32 bytes');
    }
    this.name = nameOf(key);
  }

  /** Encrypts a secret; it can be decrypted only for the same `purpose`, such as its row and column. */
  seal(secret: string, purpose: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return `v2.${this.name}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
  }

  /** Decrypts a secret; throws SecretUnreadableError for another key or purpose, or a changed text. */
  open(text: string, purpose: string): string {
    const secret = this.openOrNull(text, purpose);
    if (secret === null) throw new SecretUnreadableError(purpose);
    return secret;
  }

  /** Like `open`, but returns null instead of throwing. */
  openOrNull(text: string, purpose: string): string | null {
    const [, name, sealed = ''] = SEALED.exec(text) ?? [];
    const bytes = Buffer.from(sealed, 'base64url');
    for (const key of [this.key, ...this.previous]) {
      if (name !== undefined && name !== nameOf(key)) continue;
      const secret = opened(bytes, key, purpose);
      if (secret !== null) return secret;
    }
    return null;
  }

  /** Whether the text was encrypted with the current key. */
  isCurrent(text: string): boolean {
    return SEALED.exec(text)?.[1] === this.name;
  }
}

/** Part of a key's hash: identifies the key without revealing it. */
function nameOf(key: Buffer): string {
  return createHash('sha256').update('name of the encryption key').update(key).digest('hex').slice(0, 8);
}

function opened(bytes: Buffer, key: Buffer, purpose: string): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
    return Buffer.concat(text).toString('utf8');
  } catch {
    return null;
  }
}
