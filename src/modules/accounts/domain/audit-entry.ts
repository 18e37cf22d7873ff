/** Actions recorded in the audit log. */
export const AUDIT_ACTIONS = [
  'key.created',
  'key.changed',
  'key.rotated',
  'key.revoked',
  'account.created',
  'account.changed',
  'account.deleted',
  'person.erased',
  'conversation.erased',
  'webhook.created',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.deleted',
  'webhook.disabled',
  'console.signed_in',
  'console.signed_out',
] as const;

/** One of AUDIT_ACTIONS. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** An entry of the audit log, without secrets and personal data. */
export interface AuditEntry {
  id: string;
  /** The affected account. */
  accountId: string;
  /** Account of the acting key; differs from `accountId` if the operator acted. */
  actorAccountId: string;
  /** Null for actions of the service itself: the first account and its key, and webhook endpoints that it disabled. */
  keyPrefix: string | null;
  /** Address of the client; null if the connection had already closed. */
  address: string | null;
  action: AuditAction;
  /** Id of the key, account, contact or webhook endpoint; the key for sign-ins; null for a conversation, whose id is derived from the erased number. */
  targetId: string | null;
  /** Names of the fields that were set; values are not recorded. */
  fields: readonly string[];
  createdAt: Date;
}

/** A filter of entries. */
export interface AuditFilter {
  /** Null: all accounts. */
  accountId: string | null;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
}
