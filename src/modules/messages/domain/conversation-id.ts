import { hash } from 'node:crypto';

/**
 * The id of an account's conversation with one person, identified by phone number or platform user id. Computed, so
 * that sending needs no lookup.
 */
export function conversationId(accountId: string, person: string): string {
  const bytes = hash('sha256', accountId + person, 'buffer').subarray(0, 16);
  // Version 8 (RFC 9562): custom.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
