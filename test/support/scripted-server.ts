import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface Seen {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** The next response: a response, a cut connection, or a function. */
export type Step =
  | { status: number; body?: object | string; headers?: Record<string, string> }
  | 'cut'
  | ((request: Seen, response: ServerResponse) => void);

/** An HTTP server that plays scripted responses in order, and repeats the last one. */
export class ScriptedServer {
  readonly seen: Seen[] = [];
  url = '';
  private steps: Step[] = [];
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const seen = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
      this.seen.push(seen);
      this.answer(seen, response);
    });
  });

  async start(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  /** Clears the received requests, and sets a new script. */
  script(...steps: Step[]): void {
    this.seen.length = 0;
    this.steps = steps;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private answer(request: Seen, response: ServerResponse): void {
    const step = this.steps.length > 1 ? this.steps.shift() : this.steps[0];
    if (step === undefined || step === 'cut') return void response.destroy();
    if (typeof step === 'function') return step(request, response);
    const isText = typeof step.body === 'string';
    response.writeHead(step.status, { 'content-type': isText ? 'text/html' : 'application/json', ...step.headers });
    response.end(isText ? (step.body as string) : JSON.stringify(step.body ?? {}));
  }
}
