import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameSecret, signingSecret } from './cloud-api-webhook-protocol';

interface Vector {
  app_secret: string;
  raw_body: string;
  header: string;
}

const file = join(__dirname, '../fixtures/32-webhook-signature.vector.json');
const { app_secret: secret, raw_body: body, header } = JSON.parse(readFileSync(file, 'utf8')) as Vector;
const signature = header.replace('X-Hub-Signature-256: ', '');
const bytes = Buffer.from(body);

describe('The signature of a webhook', () => {
  it('identifies the secret that signed exactly these bytes', () => {
    expect(signingSecret(bytes, signature, ['other', secret])).toBe(secret);
  });

  it('may be in capital letters', () => {
    expect(signingSecret(bytes, signature.toUpperCase().replace('SHA256', 'sha256'), [secret])).toBe(secret);
  });

  it('does not match the same JSON in other bytes', () => {
    const reserialized = Buffer.from(JSON.stringify(JSON.parse(body)));

    expect(reserialized.equals(bytes)).toBe(false);
    expect(signingSecret(reserialized, signature, [secret])).toBeNull();
  });

  it.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['is of the older type', 'sha1=5199831f4dd3b79e7c5b7e0ebe75d67aa66e79d4'],
    ['is truncated', signature.slice(0, -2)],
    ['has extra digits', `${signature}00`],
    ['is not hexadecimal', `sha256=${'z'.repeat(64)}`],
  ])('is rejected if it %s', (_, given) => {
    expect(signingSecret(bytes, given, [secret])).toBeNull();
  });

  it('identifies no secret if none matches', () => {
    expect(signingSecret(bytes, signature, [])).toBeNull();
    expect(signingSecret(bytes, signature, ['another secret'])).toBeNull();
  });

  it('is never accepted from an empty secret', () => {
    const forged = `sha256=${createHmac('sha256', '').update(bytes).digest('hex')}`;

    expect(signingSecret(bytes, forged, [''])).toBeNull();
  });
});

describe('A secret', () => {
  it('is compared as a whole, for any lengths', () => {
    expect(isSameSecret('verify-me', 'verify-me')).toBe(true);
    expect(isSameSecret('verify-m', 'verify-me')).toBe(false);
    expect(isSameSecret('', 'verify-me')).toBe(false);
  });
});
