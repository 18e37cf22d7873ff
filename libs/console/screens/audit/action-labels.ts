import type { AuditEntryDto } from '../../../client/generated/types.gen';

/** The label of each action. */
export const ACTION_LABELS: Record<AuditEntryDto['action'], string> = {
  'key.created': 'API key created',
  'key.changed': 'API key changed',
  'key.rotated': 'API key secret rotated',
  'key.revoked': 'API key revoked',
  'account.created': 'Account created',
  'account.changed': 'Account changed',
  'account.deleted': 'Account deleted',
  'person.erased': 'Personal data erased',
  'conversation.erased': 'Conversation erased',
  'webhook.created': 'Webhook endpoint added',
  'webhook.changed': 'Webhook endpoint changed',
  'webhook.secret_rotated': 'Webhook secret rotated',
  'webhook.deleted': 'Webhook endpoint deleted',
  'webhook.disabled': 'Webhook endpoint disabled automatically',
  'console.signed_in': 'Signed in to the console',
  'console.signed_out': 'Signed out of the console',
};
