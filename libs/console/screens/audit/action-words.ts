import type { AuditEntryDto } from '../../../client/generated/types.gen';

/** What was done, in words. */
export const ACTION_WORDS: Record<AuditEntryDto['action'], string> = {
  'key.created': 'API key created',
  'key.changed': 'API key changed',
  'key.rotated': 'New secret for an API key',
  'key.revoked': 'API key revoked',
  'account.created': 'Account created',
  'account.changed': 'Account changed',
  'person.erased': 'Data of a person erased',
  'conversation.erased': 'Conversation erased',
  'webhook.created': 'Webhook endpoint added',
  'webhook.changed': 'Webhook endpoint changed',
  'webhook.secret_rotated': 'New secret for a webhook endpoint',
  'webhook.deleted': 'Webhook endpoint deleted',
  'webhook.disabled': 'Webhook endpoint disabled by the service',
  'console.signed_in': 'Signed in to the console',
  'console.signed_out': 'Signed out of the console',
};
