import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/**
 * The one of `secrets` that signed exactly these bytes (HMAC-SHA256, header `X-Hub-Signature-256`), null when none did.
 * Compares in constant time.
 */
export function signingSecret(body: Buffer, header: string | undefined, secrets: Iterable<string>): string | null {
  const digest = SIGNATURE.exec(header ?? '')?.[1];
  if (digest === undefined) return null;
  const given = Buffer.from(digest, 'hex');
  for (const secret of secrets) {
    // An empty secret would make everybody's signature valid.
    if (secret !== '' && timingSafeEqual(createHmac('sha256', secret).update(body).digest(), given)) return secret;
  }
  return null;
}

/** Whether two texts are equal, compared in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
