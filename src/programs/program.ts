import { Logger as NestLog, type LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { destination, type Logger } from 'pino';
import { DataSource } from 'typeorm';
import { readSettings, type Settings, SettingsError } from '../../config/settings';
import { AppModule } from '../app.module';
import { createLogger } from '../infra/logging/logger';
import { NestLogger } from '../infra/logging/nest-logger';

/** The parts of the service available to its other programs. */
export interface ProgramParts {
  settings: Settings;
  /** Writes lines like the service's, regardless of LOG_LEVEL: they are the program's output. */
  logger: Logger;
  log: LoggerService;
}

/** Runs another program of the service; if it rejects, reports why and exits with 1. */
export function runProgram(work: (parts: ProgramParts) => Promise<void>): void {
  const start = async (): Promise<void> => {
    const logger = createLogger('info');
    const log = new NestLogger(logger);
    NestLog.overrideLogger(log);
    await work({ settings: readSettings(), logger, log });
  };
  start().catch(exitWithError);
}

/** Creates the service for `work` without initializing it, so that nothing runs or listens. Requires neither platform nor Redis. */
export async function withParts(
  { settings, log }: ProgramParts,
  work: (get: AppParts) => Promise<void>,
): Promise<void> {
  const platform = { ...settings.platform, apiUrl: settings.platform.apiUrl ?? 'http://127.0.0.1' };
  const root = AppModule.register({ ...settings, platform, redisUrl: undefined });
  const app = await NestFactory.create(root, { logger: log, abortOnError: false });
  try {
    await work(app);
  } finally {
    // Nothing else was initialized.
    await app.get(DataSource).destroy();
  }
}

/** Locates parts of the service by class. */
export type AppParts = Pick<Awaited<ReturnType<typeof NestFactory.create>>, 'get'>;

/**
 * Exits with 1. Writes the reason as one log line of level fatal, and as text to standard error for the person at the terminal;
 * without a stack, since the place in the code does not matter here.
 */
export function exitWithError(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const what = error instanceof SettingsError ? 'The settings are invalid' : 'Startup failed';
  createLogger('fatal', destination({ fd: 1, sync: true })).fatal(`${what}: ${message}`);
  process.stderr.write(`${what}:\n${message}\n`);
  process.exit(1);
}
