import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { refusal, type Answer } from './answer';
import { Exchange } from './exchange';
import { GraphError } from './graph-error';

/** Handles a request; a thrown GraphError becomes an error response in the platform's format. */
export type Handler = (exchange: Exchange) => Answer | Promise<Answer>;

/** The delay of the response to a request, in milliseconds. */
export type Latency = (exchange: Exchange) => number;

const MAX_BODY_BYTES = 110 * 1024 * 1024;
const KEEP_ALIVE_MS = 65_000;

/** An HTTP server that reads each body completely, calls the handler and sends its answer. */
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
      handleWith(handler, exchange, (answer) => {
        const latency = latencyOf(exchange);
        if (latency <= 0) send(answer, request, response);
        else setTimeout(() => send(answer, request, response), latency);
      });
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = 0;
  return server;
}

function handleWith(handler: Handler, exchange: Exchange, done: (answer: Answer) => void): void {
  try {
    const answer = handler(exchange);
    if (answer instanceof Promise) answer.then(done, (error: unknown) => done(answerOfError(error)));
    else done(answer);
  } catch (error) {
    done(answerOfError(error));
  }
}

function answerOfError(error: unknown): Answer {
  if (error instanceof GraphError) return refusal(error);
  process.stderr.write(`platform sandbox: ${error instanceof Error ? error.stack : String(error)}\n`);
  return refusal(new GraphError(1, { details: 'Internal error of the sandbox.' }));
}

function send(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  switch (answer.kind) {
    case 'cut':
      request.socket.destroy();
      return;
    case 'silence':
      return;
    case 'stream':
      response.writeHead(200, { 'Content-Type': answer.contentType });
      pipeline(Readable.from(answer.chunks), response, () => undefined);
      return;
    case 'reply':
      response.writeHead(answer.status, {
        'Content-Type': answer.contentType,
        'Content-Length': typeof answer.body === 'string' ? Buffer.byteLength(answer.body) : answer.body.length,
        ...answer.headers,
      });
      response.end(answer.body);
  }
}
