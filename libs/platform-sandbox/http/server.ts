import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { refusal, type HandlerResult } from './handler-result';
import { Exchange } from './exchange';
import { GraphError } from './graph-error';

/** Handles a request; a thrown GraphError becomes an error response in the platform's format. */
export type Handler = (exchange: Exchange) => HandlerResult | Promise<HandlerResult>;

/** The delay of the response to a request, in milliseconds. */
export type Latency = (exchange: Exchange) => number;

const MAX_BODY_BYTES = 110 * 1024 * 1024;
const KEEP_ALIVE_MS = 65_000;

/** An HTTP server that reads each body completely, calls the handler and sends its result. */
export function createSandboxServer(handler: Handler, latencyOf: Latency): Server {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) request.destroy();
      else chunks.push(chunk);
    });
    request.on('error', () => response.destroy());
    request.on('end', () => {
      const exchange = new Exchange(request, chunks.length === 1 ? (chunks[0] ?? Buffer.of()) : Buffer.concat(chunks));
      handleWith(handler, exchange, (result) => {
        const latency = latencyOf(exchange);
        if (latency <= 0) send(result, request, response);
        else setTimeout(() => send(result, request, response), latency);
      });
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = 0;
  return server;
}

function handleWith(handler: Handler, exchange: Exchange, done: (result: HandlerResult) => void): void {
  try {
    const result = handler(exchange);
    if (result instanceof Promise) result.then(done, (error: unknown) => done(errorResult(error)));
    else done(result);
  } catch (error) {
    done(errorResult(error));
  }
}

function errorResult(error: unknown): HandlerResult {
  if (error instanceof GraphError) return refusal(error);
  process.stderr.write(`platform sandbox: ${error instanceof Error ? error.stack : String(error)}\n`);
  return refusal(new GraphError(1, { details: 'Internal error of the sandbox.' }));
}

function send(result: HandlerResult, request: IncomingMessage, response: ServerResponse): void {
  switch (result.kind) {
    case 'cut':
      request.socket.destroy();
      return;
    case 'silence':
      return;
    case 'stream':
      response.writeHead(200, { 'Content-Type': result.contentType });
      pipeline(Readable.from(result.chunks), response, () => undefined);
      return;
    case 'reply':
      response.writeHead(result.status, {
        'Content-Type': result.contentType,
        'Content-Length': typeof result.body === 'string' ? Buffer.byteLength(result.body) : result.body.length,
        ...result.headers,
      });
      response.end(result.body);
  }
}
