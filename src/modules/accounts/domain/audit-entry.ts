/** What the audit log records. */
export const AUDIT_ACTIONS = [
  'key.created',
  'key.changed',
  'key.rotated',
  'key.revoked',
  'account.created',
  'account.changed',
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

/** What was done, to what, and by whom. It holds no secrets and no personal data. */
export interface AuditEntry {
  id: string;
  /** The account that it is about. */
  accountId: string;
  /** The account of the key that did it: an operator's may be another one. */
  actorAccountId: string;
  /** Null for what the service did itself: the first account and its key, and webhook endpoints that it disabled. */
  keyPrefix: string | null;
  /** Address of the client; null if the connection had already closed. */
  address: string | null;
  action: AuditAction;
  /** Id of the key, account, contact or webhook endpoint (of sign-ins the key); null for a conversation, whose id is derived from the number that is erased. */
  targetId: string | null;
  /** Names of the fields that were set; values are not recorded. */
  fields: readonly string[];
  createdAt: Date;
}

/** Which entries are wanted. */
export interface AuditFilter {
  /** Null: of all accounts. */
  accountId: string | null;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
}
