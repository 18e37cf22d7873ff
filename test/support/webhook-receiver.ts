import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received body. */
export interface ReceivedWebhook {
  headers: Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;
  body: string;
  /** Time of receipt, by `performance.now()`. */
  at: number;
}

/** A client's server; `status` is the next response status, 0: no response. `answer` may choose it per body. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  status = 204;
  answer: () => number = () => this.status;
  url: string;
  private server: Server;

  async start(): Promise<this> {
    this.server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const headers = incoming.headers as ReceivedWebhook['headers'];
        this.received.push({ headers, body: Buffer.concat(chunks).toString('utf8'), at: performance.now() });
        const status = this.answer();
        if (status > 0) response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
    return this;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
