import { Logger as NestLog, type LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { destination, type Logger } from 'pino';
import { DataSource } from 'typeorm';
import { readSettings, type Settings, SettingsError } from '../config/settings';
import { AppModule } from './app.module';
import { createLogger } from './infra/logging/logger';
import { NestLogger } from './infra/logging/nest-logger';

/** What a program beside the service works with. */
export interface ProgramParts {
  settings: Settings;
  /** Writes lines like the service's, whatever LOG_LEVEL says: they are what the program was run for. */
  logger: Logger;
  log: LoggerService;
}

/** Runs a program beside the service; if it rejects, says why and ends with 1. */
export function runProgram(work: (parts: ProgramParts) => Promise<void>): void {
  const start = async (): Promise<void> => {
    const logger = createLogger('info');
    const log = new NestLogger(logger);
    NestLog.overrideLogger(log);
    await work({ settings: readSettings(), logger, log });
  };
  start().catch(endWithError);
}

/** Gives `work` the service's parts: made, but not initialized, so that nothing runs and nothing listens. It needs no platform and no Redis. */
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
    // Parts that were never initialized have nothing to close.
    await app.get(DataSource).destroy();
  }
}

/** Whoever gives out the parts of the service by their class. */
export type AppParts = Pick<Awaited<ReturnType<typeof NestFactory.create>>, 'get'>;

/**
 * Ends the process with 1: the reason goes to the log as one line of level fatal, and to standard error as text for the person at the
 * terminal; without a stack, as the place in the code does not matter here.
 */
export function endWithError(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const what = error instanceof SettingsError ? 'The settings are invalid' : 'Startup failed';
  createLogger('fatal', destination({ fd: 1, sync: true })).fatal(`${what}: ${message}`);
  process.stderr.write(`${what}:\n${message}\n`);
  process.exit(1);
}
