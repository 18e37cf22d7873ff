import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { readSettings } from '../config/settings';
import { AppModule } from './app.module';
import { AfterRestore } from './modules/delivery/domain/after-restore.service';

/** `npm run after-restore`: stops whatever a restored database would send again, says what that was, and ends. */
async function afterRestore(): Promise<void> {
  const settings = readSettings();
  // It sends nothing and wakes nobody: neither the platform nor Redis is needed.
  const platform = { ...settings.platform, apiUrl: settings.platform.apiUrl ?? 'http://127.0.0.1' };
  const root = AppModule.register({ ...settings, platform, redisUrl: undefined });
  // Made, but not initialized: no lane runs and nothing listens.
  const app = await NestFactory.create(root, { logger: ['warn', 'error'], abortOnError: false });
  try {
    const stopped = await app.get(AfterRestore).run(true);
    const { jobs, singleSends, knownUntil } = stopped!;
    process.stdout.write(
      [
        `Paused unfinished jobs: ${jobs}. Each waits for POST /bulk-jobs/{jobId}/resume or /cancel.`,
        `Single sends that were open and are Unknown now: ${singleSends}.`,
        `Last record of the database: ${knownUntil?.toISOString() ?? 'none'}. What was sent later is unknown to it.`,
        'What jobs had under way becomes Unknown when a worker starts.',
        'See "Backup and restore" in docs/operations.md.\n',
      ].join('\n'),
    );
  } finally {
    // Parts that were never initialized have nothing to close.
    await app.get(DataSource).destroy();
  }
}

afterRestore().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
