import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';

/** Serves `GET /metrics` on a separate port until the application closes; returns 404 for everything else. */
@Injectable()
export class MetricsServer implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Metrics');
  private server: Server | null = null;

  constructor(private readonly registry: Registry) {}

  /** Resolves with the port, a free one if `port` is 0; rejects with the system's error if it cannot listen. */
  async listen(port: number, host: string): Promise<number> {
    const server = createServer((request, response) => void this.serve(request, response));
    await new Promise<void>((listening, fail) => server.once('error', fail).listen(port, host, listening));
    this.server = server;
    return (server.address() as AddressInfo).port;
  }

  /** At the end, so that metrics cover the shutdown. */
  beforeApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async serve({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    const isServed = (method === 'GET' || method === 'HEAD') && url?.split('?', 1)[0] === '/metrics';
    if (!isServed) return void response.writeHead(404).end();
    try {
      await sendMetrics(this.registry, response);
    } catch (error) {
      this.logger.error(error);
      response.writeHead(500).end();
    }
  }
}

/** Sends all metrics in the Prometheus text format. */
export async function sendMetrics(registry: Registry, response: ServerResponse): Promise<void> {
  const metrics = await registry.metrics();
  response.setHeader('Content-Type', registry.contentType);
  response.end(metrics);
}
