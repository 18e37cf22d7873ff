import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { readSettings } from '../config/settings';
import { AppModule } from './app.module';
import { SenderSecrets } from './modules/accounts/adapters/sender-secrets';

const DISCARD = '--discard-unreadable';

/** `npm run rotate-encryption-key`: encrypts all stored secrets with the current key, says what it did, and ends. */
async function rotate(): Promise<void> {
  const settings = readSettings();
  const discardUnreadable = process.argv.includes(DISCARD);
  // It asks neither the platform nor Redis.
  const platform = { ...settings.platform, apiUrl: settings.platform.apiUrl ?? 'http://127.0.0.1' };
  const root = AppModule.register({ ...settings, platform, redisUrl: undefined });
  // Made, but not initialized: nothing runs and nothing listens.
  const app = await NestFactory.create(root, { logger: ['warn', 'error'], abortOnError: false });
  try {
    const { resealed, unreadable } = await app.get(SenderSecrets).reseal(discardUnreadable);
    process.stdout.write(`Secrets encrypted with the current key: ${resealed}.\n`);
    if (unreadable.length === 0) return;
    process.stdout.write(`Accounts with secrets that no key decrypts: ${unreadable.join(', ')}.\n`);
    process.stdout.write(
      discardUnreadable
        ? 'These secrets are deleted and the accounts paused. Enter them anew: PATCH /accounts/{id}.\n'
        : `Set ENCRYPTION_KEY_PREVIOUS to the key of these secrets, or delete them with ${DISCARD}.\n`,
    );
    if (!discardUnreadable) process.exitCode = 1;
  } finally {
    // Parts that were never initialized have nothing to close.
    await app.get(DataSource).destroy();
  }
}

rotate().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
