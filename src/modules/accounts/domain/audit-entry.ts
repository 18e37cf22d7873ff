/** Actions recorded in the audit log. */
export const AUDIT_ACTIONS = [
  'key.created',
  'key.changed',
  'key.rotated',
  'key.revoked',
  'account.created',
  'account.changed',
  'account.deleted',
  'sender.created',
  'sender.changed',
  'sender.deleted',
  'person.erased',
  'conversation.erased',
  'webhook.created',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.deleted',
  'webhook.disabled',
  'console.signed_in',
  'console.signed_out',
  'job.created',
  'job.retried',
  'job.changed',
  'job.paused',
  'job.resumed',
  'job.cancelled',
  'template.created',
  'template.changed',
  'template.unpaused',
  'template.deleted',
  'opt_out.created',
  'opt_out.deleted',
  'settings.changed',
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
  /** Name of the acting key at that time; null: as `keyPrefix`, or recorded before names were. */
  keyName: string | null;
  /** Address of the client; null if the connection had already closed. */
  address: string | null;
  action: AuditAction;
  /**
   * Id of the key, account, sender, contact, webhook endpoint, job or template; the key for sign-ins, the new job for retries; null for
   * settings, for opt-outs, which would name a person, and for a conversation, whose id is derived from the erased number.
   */
  targetId: string | null;
  /** Names of the fields that were set; values are not recorded. */
  fields: readonly string[];
  createdAt: Date;
}

/** An entry to store, whose key has an id instead of its name. */
export interface NewAuditEntry extends Omit<AuditEntry, 'keyName'> {
  /** Null for actions of the service itself. */
  keyId: string | null;
}

/** A filter of entries. */
export interface AuditFilter {
  /** Null: all accounts. */
  accountId: string | null;
  action?: AuditAction | undefined;
  keyPrefix?: string | undefined;
  targetId?: string | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
}
