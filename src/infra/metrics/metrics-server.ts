import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';

/** Answers `GET /metrics` on a port of its own, and 404 to everything else, until the application closes. */
@Injectable()
export class MetricsServer implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Metrics');
  private server: Server | null = null;

  constructor(private readonly registry: Registry) {}

  /** Resolves with the port, which differs from `port` if that is 0; rejects with the system's error if it cannot listen. */
  async listen(port: number, host: string): Promise<number> {
    const server = createServer((request, response) => void this.answer(request, response));
    await new Promise<void>((listening, fail) => server.once('error', fail).listen(port, host, listening));
    this.server = server;
    return (server.address() as AddressInfo).port;
  }

  /** Not before: what is done while the process stops is seen as well. */
  beforeApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async answer({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = (method === 'GET' || method === 'HEAD') && url?.split('?', 1)[0] === '/metrics';
    if (!asked) return void response.writeHead(404).end();
    try {
      await sendMetrics(this.registry, response);
    } catch (error) {
      this.logger.error(error);
      response.writeHead(500).end();
    }
  }
}

/** Answers with all metrics, in the text format of Prometheus. */
export async function sendMetrics(registry: Registry, response: ServerResponse): Promise<void> {
  const figures = await registry.metrics();
  response.setHeader('Content-Type', registry.contentType);
  response.end(figures);
}
