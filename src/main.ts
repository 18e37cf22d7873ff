import 'reflect-metadata';
import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { readSettings, type Settings, SettingsError } from '../config/settings';
import { type RunningSandbox, startSandbox } from '../libs/platform-sandbox/sandbox';
import { AppModule } from './app.module';
import { readCommandLine } from './programs/command-line';
import { DOCUMENT_PARTS } from './programs/document-parts';
import { CONSOLE_PATH, serveConsole } from './infra/http/edge/console-files';
import { configureHttp } from './infra/http/configure-http';
import { serveApiDocument } from './infra/http/openapi/api-document';
import { AccountsBootstrap } from './modules/accounts/domain/accounts-bootstrap';
import { AppSubscriptions } from './modules/platform-webhook/adapters/app-subscriptions';
import { PlatformWebhookRoute } from './modules/platform-webhook/adapters/platform-webhook.route';
import { PlatformSubscriptions } from './modules/platform-webhook/adapters/platform-subscriptions';
import { exitOnSignals } from './infra/lifecycle/exit-on-signals';
import { retryOnConnectionLoss } from './infra/database/connection-loss-retry';
import { refuseConnections } from './infra/lifecycle/refuse-connections';
import { Shutdown } from './infra/lifecycle/shutdown';
import { createLogger } from './infra/logging/logger';
import { NestLogger } from './infra/logging/nest-logger';
import { HttpMetrics } from './infra/metrics/http-metrics';
import { MetricsServer } from './infra/metrics/metrics-server';
import { startTracing } from './infra/tracing/open-telemetry';
import { collectStartupGarbage, keepMemoryLean } from './programs/lean-memory';
import { exitWithError } from './programs/program';

/** The parts that run in one process. */
interface Running {
  app: NestExpressApplication;
  /** The built-in platform sandbox, if no platform is configured. */
  sandbox: RunningSandbox | null;
}

/** The built console: this file runs from dist/src, in development from src. */
const CONSOLE_FOLDER = join(__dirname, basename(dirname(__dirname)) === 'dist' ? '../console' : '../dist/console');
/** How long the first subscription may delay the startup line with the address. */
const FIRST_SUBSCRIPTION_MS = 2000;
/** Interval for closing idle connections during shutdown. */
const CLOSE_IDLE_EVERY_MS = 100;
/** Time for recording and closing, in addition to the platform's response timeout. */
const SHUTDOWN_MARGIN_SECONDS = 5;

/** Runs the configured role until SIGTERM or SIGINT. */
async function main(): Promise<void> {
  const settings = readSettings();
  keepMemoryLean(settings);
  const logger = createLogger(settings.logLevel);
  const endTracing = settings.tracing ? await startTracing(logger, settings.tracingHeaders) : null;
  const { shutdownDelaySeconds } = settings;
  const starting = start(settings, logger);
  exitOnSignals({
    logger,
    finishWithinMs: (shutdownDelaySeconds + settings.platform.timeoutSeconds + SHUTDOWN_MARGIN_SECONDS) * 1000,
    finish: async () => {
      await stop(await starting, settings.role, shutdownDelaySeconds);
      await endTracing?.();
    },
  });
  await starting;
}

async function start(settings: Settings, logger: Logger): Promise<Running> {
  if (settings.databaseUrl === undefined) await prepareDataDirectory(settings.dataDir);
  else if (settings.redisUrl === undefined) {
    logger.warn('No REDIS_URL: the plan limits apply per process, so each process allows the full rate');
  }
  const sandbox =
    settings.platform.apiUrl === undefined
      ? await startSandbox({
          port: settings.sandboxPort,
          config: { autoCreateSenders: true },
          // With DATABASE_URL the data directory is not in use.
          templateFile:
            settings.databaseUrl === undefined ? join(settings.dataDir, 'sandbox-templates.json') : undefined,
        })
      : null;
  const app = await retryOnConnectionLoss(() => serve(settings, settings.platform.apiUrl ?? sandbox!.url, logger));
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  // The server must already listen, since the platform verifies the address.
  const publicUrl = settings.publicUrl ?? (sandbox ? url : undefined);
  if (publicUrl !== undefined && settings.role !== 'worker') {
    const wanted = { callbackUrl: `${publicUrl}/webhooks/platform`, takeOver: settings.publicUrlTakeover };
    const first = Promise.all([app.get(PlatformSubscriptions).start(wanted), app.get(AppSubscriptions).start(wanted)]);
    // The address should be the last line of the startup output, but an unresponsive platform must not delay it.
    await Promise.race([first, wait(FIRST_SUBSCRIPTION_MS, undefined, { ref: false })]);
  }
  if (publicUrl === undefined && settings.role !== 'worker') {
    logger.warn(
      "No PUBLIC_URL: the platform's webhook is not registered. Unless it is configured elsewhere, no message " +
        'becomes Delivered or Read and no reply arrives',
    );
  }
  if (sandbox) logger.info(`No PLATFORM_API_URL: all messages go to the built-in sandbox at ${sandbox.url}`);
  if (sandbox && settings.role !== 'all') {
    logger.warn(
      'Each process has its own sandbox, which reports only to that process: start one with "npm run sandbox" and set ' +
        'PLATFORM_API_URL of all processes to it',
    );
  }
  collectStartupGarbage();
  const pages =
    settings.role === 'worker' ? `health at ${url}/health/ready` : await pagesOf(app, url, sandbox !== null);
  logger.info(`Listens on ${url} as ${settings.role}; ${pages}`);
  return { app, sandbox };
}

/** The pages to open and, in a trial, the file with the key for the first sign-in. */
async function pagesOf(app: NestExpressApplication, url: string, isTrial: boolean): Promise<string> {
  const keyFile = isTrial ? await app.get(AccountsBootstrap).firstKeyPath() : null;
  const signIn = keyFile === null ? '' : ` (sign in with the key in ${keyFile})`;
  return `documentation at ${url}/docs, console at ${url}${CONSOLE_PATH}${signIn}`;
}

async function serve(settings: Settings, apiUrl: string, logger: Logger): Promise<NestExpressApplication> {
  const root = AppModule.register({ ...settings, platform: { ...settings.platform, apiUrl } });
  const app = await NestFactory.create<NestExpressApplication>(root, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLogger(logger),
  });
  try {
    await listen(app, settings, apiUrl, logger);
    return app;
  } catch (error) {
    // Nothing of this attempt may keep running during the next one; `error` is the cause.
    await app.close().catch(() => undefined);
    throw error;
  }
}

async function listen(app: NestExpressApplication, settings: Settings, apiUrl: string, logger: Logger): Promise<void> {
  configureHttp(app, {
    maxFileBytes: settings.maxFileBytes,
    trustedProxies: settings.trustedProxies,
    maxConnections: settings.maxConnections,
    operationsOnly: settings.role === 'worker',
    logger,
    metrics: app.get(HttpMetrics),
    shutdown: app.get(Shutdown),
    direct: [app.get(PlatformWebhookRoute)],
  });
  const { isSandbox } = settings.platform;
  serveApiDocument(app, DOCUMENT_PARTS, { platformHost: new URL(apiUrl).host, isSandbox });
  if (settings.role !== 'worker') serveConsole(app, CONSOLE_FOLDER, isSandbox);
  const { port, metricsPort, host } = settings;
  if (metricsPort !== undefined) {
    // First, so that a port in use fails the startup before any work starts.
    const listening = app.get(MetricsServer).listen(metricsPort, host);
    const own = await listening.catch(failedToListen('METRICS_PORT', metricsPort, host));
    logger.info(`Shows /metrics on port ${own} only`);
  }
  await app.listen(port, host).catch(failedToListen('PORT', port, host));
}

/** The directory of the embedded database and of keys must exist and be writable. */
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

/** Throws why the service cannot listen, naming the setting. */
function failedToListen(name: 'PORT' | 'METRICS_PORT', port: number, host: string): (error: unknown) => never {
  return (error) => {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'EADDRINUSE':
        throw new Error(`${name}: ${host}:${port} is already in use. Stop the other process, or set another ${name}.`);
      case 'EACCES':
        throw new Error(`${name}: this user may not listen on ${host}:${port}. Set a ${name} above 1023.`);
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        throw new Error(
          `HOST: this machine has no address ${host}. Set HOST to an address of this machine, or to 0.0.0.0.`,
        );
      default:
        throw error;
    }
  };
}

/**
 * Keeps serving for `delaySeconds` while /health/ready reports the shutdown, then refuses new connections, so that a proxy repeats a request
 * elsewhere, and half a second later new requests of open ones. Lanes claim no more work, wait for messages in flight and record their outcomes; running
 * requests finish; then the connections close.
 */
async function stop({ app, sandbox }: Running, role: Settings['role'], delaySeconds: number): Promise<void> {
  const shutdown = app.get(Shutdown);
  shutdown.drain();
  await wait(delaySeconds * 1000);
  const server = app.getHttpServer();
  // The health and metrics of a worker remain until its answers are recorded.
  if (role !== 'worker') await refuseConnections(server);
  shutdown.begin();
  const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  await app.close();
  clearInterval(closing);
  await sandbox?.close();
}

readCommandLine('start', 'Serves the API until stopped; settings are environment variables, listed in the README.');
main().catch(exitWithError);
