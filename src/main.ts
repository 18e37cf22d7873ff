import 'reflect-metadata';
import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { readSettings, type Settings, SettingsError } from '../config/settings';
import { type RunningSandbox, startSandbox } from '../libs/platform-sandbox/sandbox';
import { AppModule } from './app.module';
import { configureHttp } from './infra/http/configure-http';
import { serveApiDocument } from './infra/http/api-document';
import { PlatformSubscriptions } from './modules/chat-history/adapters/platform-subscriptions';
import { endOnSignals } from './infra/lifecycle/process-end';
import { Shutdown } from './infra/lifecycle/shutdown';
import { createLogger } from './infra/logging/logger';
import { NestLogger } from './infra/logging/nest-logger';
import { HttpMetrics } from './infra/metrics/http-metrics';
import { keepHeapLean } from './lean-heap';

/** What one process runs. */
interface Running {
  app: NestExpressApplication;
  /** The platform in this process, where no other is named. */
  sandbox: RunningSandbox | null;
}

/** Between the last answer of a connection and its end, while the process stops. */
const CLOSE_IDLE_EVERY_MS = 100;
/** Beyond the time that the platform has for its answers: recording them and closing. */
const END_MARGIN_SECONDS = 5;

/** Starts the role that the environment names and runs until SIGTERM or SIGINT. */
async function main(): Promise<void> {
  const settings = readSettings();
  if (settings.role !== 'api') keepHeapLean();
  const logger = createLogger(settings.logLevel);
  const starting = start(settings, logger);
  endOnSignals({
    logger,
    finishWithinMs: (settings.platform.timeoutSeconds + END_MARGIN_SECONDS) * 1000,
    finish: async () => stop(await starting),
  });
  await starting;
}

async function start(settings: Settings, logger: Logger): Promise<Running> {
  if (settings.databaseUrl === undefined) await prepareDataDirectory(settings.dataDir);
  else if (settings.redisUrl === undefined) {
    logger.warn(
      'No REDIS_URL: the plan limits are kept per process; with several processes each allows the whole rate',
    );
  }
  const sandbox =
    settings.platform.apiUrl === undefined
      ? await startSandbox({ port: settings.sandboxPort, config: { autoCreateSenders: true } })
      : null;
  const app = await serve(settings, settings.platform.apiUrl ?? sandbox!.url, logger);
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  logger.info(`Listens on ${url} as ${settings.role}; documentation at ${url}/docs`);
  // Only now: the platform looks whether the address answers.
  const publicUrl = settings.publicUrl ?? (sandbox ? url : undefined);
  if (publicUrl !== undefined && settings.role !== 'worker') {
    app.get(PlatformSubscriptions).start(`${publicUrl}/webhooks/platform`);
  }
  if (sandbox) logger.info(`No PLATFORM_API_URL: everything is sent to the built-in sandbox at ${sandbox.url}`);
  return { app, sandbox };
}

async function serve(settings: Settings, apiUrl: string, logger: Logger): Promise<NestExpressApplication> {
  const root = AppModule.register({ ...settings, platform: { ...settings.platform, apiUrl } });
  const app = await NestFactory.create<NestExpressApplication>(root, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLogger(logger),
  });
  configureHttp(app, {
    maxFileBytes: settings.maxFileBytes,
    operationsOnly: settings.role === 'worker',
    logger,
    measure: app.get(HttpMetrics).middleware,
    shutdown: app.get(Shutdown),
  });
  serveApiDocument(app);
  await app.listen(settings.port, settings.host).catch((error: unknown) => {
    throw listenFault(error, settings);
  });
  return app;
}

/** The embedded database and the keys stand there: it must be there, and ours to write. */
async function prepareDataDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { message } = error as Error;
    throw new SettingsError(
      `DATA_DIR: ${directory} cannot be used (${message}). Set DATA_DIR to a directory that this user may write.`,
    );
  }
}

/** What keeps the service from listening, in words of the settings. */
function listenFault(error: unknown, { host, port }: Settings): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new SettingsError(
        `PORT: ${host}:${port} is already in use. Stop what listens there, or set another PORT.`,
      );
    case 'EACCES':
      return new SettingsError(`PORT: this user may not listen on ${host}:${port}. Set a PORT above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new SettingsError(
        `HOST: this machine has no address ${host}. Set HOST to one that it has, or to 0.0.0.0.`,
      );
    default:
      return error;
  }
}

/**
 * Refuses new requests, which /health/ready has said first; the lanes take nothing more, land what is in flight and record
 * it; the last requests are answered; then the connections close.
 */
async function stop({ app, sandbox }: Running): Promise<void> {
  app.get(Shutdown).begin();
  const server = app.getHttpServer();
  const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  await app.close();
  clearInterval(closing);
  await sandbox?.close();
}

main().catch((error: unknown) => {
  // The first lines that somebody who starts the service sees: what is wrong, not where it was noticed.
  const message = error instanceof Error ? error.message : String(error);
  const what = error instanceof SettingsError ? 'The settings cannot be used' : 'The service could not start';
  process.stderr.write(`${what}:\n${message}\n`);
  process.exit(1);
});
