import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { parseConfigChange, type SandboxConfigChange } from './config';
import { ControlEndpoints } from './control/control-endpoints';
import { PlatformRouter } from './http/router';
import { createSandboxServer } from './http/server';
import type { Exchange } from './http/exchange';
import { MessageEndpoint } from './messages/message-endpoint';
import { Sandbox } from './sandbox-state';
import { TemplateEndpoints } from './templates/template-endpoints';

/** Listening address and initial configuration, which a reset restores. */
export interface SandboxOptions {
  /** 0 or absent: any free port. */
  port?: number;
  /** Absent: 127.0.0.1. */
  host?: string;
  /** Changes to the default configuration, as in `POST /sandbox/config`. */
  config?: SandboxConfigChange;
  /** File that keeps the templates across restarts; absent: each start has the templates of a new business account. */
  templateFile?: string;
}

/** A running sandbox. */
export interface RunningSandbox {
  /** Base URL of the platform, without version and trailing slash. */
  url: string;
  port: number;
  /** Cuts all connections, stops all timers and frees the port. */
  close(): Promise<void>;
}

/** Starts a sandbox; rejects if the port is in use or the configuration is invalid. */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const { port = 0, host = '127.0.0.1' } = options;
  const sandbox = new Sandbox(parseConfigChange(options.config ?? {}), options.templateFile);
  const messages = new MessageEndpoint(sandbox);
  const templates = new TemplateEndpoints(sandbox);
  templates.reviewPending();
  const platform = new PlatformRouter(sandbox, messages, templates);
  const control = new ControlEndpoints(sandbox, messages, templates);
  const server = createSandboxServer(
    (exchange) => (isControl(exchange) ? control.handle(exchange) : platform.handle(exchange)),
    (exchange) => (isControl(exchange) ? 0 : latencyOf(sandbox)),
  );
  const actualPort = await listen(server, port, host);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    port: actualPort,
    async close() {
      messages.clear();
      templates.clear();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, sandbox.webhooks.close()]);
    },
  };
}

function isControl(exchange: Exchange): boolean {
  return exchange.segments[0] === 'sandbox';
}

function latencyOf({ config, random }: Sandbox): number {
  const { latencyMs, latencyJitterMs } = config;
  return latencyJitterMs === 0 ? latencyMs : latencyMs + Math.round(random.next() * latencyJitterMs);
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isInUse = error.code === 'EADDRINUSE';
      reject(
        new Error(
          isInUse
            ? `SANDBOX_PORT: ${host}:${port} is already in use. Stop the other process, or set another SANDBOX_PORT.`
            : `Cannot listen: ${error.message}`,
        ),
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
