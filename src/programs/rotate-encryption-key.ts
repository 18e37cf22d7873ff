import 'reflect-metadata';
import { readCommandLine } from './command-line';
import { SenderSecrets } from '../modules/accounts/adapters/sender-secrets';
import { WebhookSecrets } from '../modules/events/adapters/webhook-secrets';
import { runProgram, withParts } from './program';

const DISCARD = '--discard-unreadable';

const { discardUnreadable = false } = readCommandLine(
  'rotate-encryption-key',
  'Encrypts all stored secrets with the current key, reports the result, and exits.',
  (command) => command.option(DISCARD, 'deletes the secrets that no key decrypts'),
).opts<{ discardUnreadable?: boolean }>();

/** `npm run rotate-encryption-key`: encrypts all stored secrets with the current key, reports the result and exits. */
runProgram(async (parts) => {
  await withParts(parts, async (app) => {
    const { logger } = parts;
    const senders = await app.get(SenderSecrets).reseal(discardUnreadable);
    const endpoints = await app.get(WebhookSecrets).reseal(discardUnreadable);
    const resealed = senders.resealed + endpoints.resealed;
    const current = senders.current + endpoints.current;
    const unreadable = [...new Set([...senders.unreadable, ...endpoints.unreadable])];
    logger.info({ resealed, current }, summary(resealed, current, unreadable.length));
    if (unreadable.length === 0) return;
    const accounts = `Accounts with secrets that no key decrypts: ${unreadable.join(', ')}`;
    const remedy = discardUnreadable
      ? 'These secrets are deleted, the accounts paused and the webhook endpoints disabled. Set new secrets: PATCH ' +
        '/accounts/{id}, POST /webhook-endpoints/{id}/rotate-secret'
      : `Set ENCRYPTION_KEY_PREVIOUS to the key of these secrets, or delete them with ${DISCARD}`;
    logger.warn({ accounts: unreadable }, `${accounts}. ${remedy}`);
    if (!discardUnreadable) process.exitCode = 1;
  });
});

function summary(resealed: number, current: number, accountsUnreadable: number): string {
  if (resealed > 0) return `Secrets re-encrypted with the current ENCRYPTION_KEY: ${resealed}`;
  if (current > 0) return `Nothing to re-encrypt: stored secrets already use the current ENCRYPTION_KEY (${current})`;
  if (accountsUnreadable > 0) return 'Nothing to re-encrypt: no key decrypts the stored secrets';
  return "Nothing to re-encrypt: no secret is stored; the accounts use the environment's PLATFORM_ACCESS_TOKEN and PLATFORM_APP_SECRET";
}
