import { createServer } from 'node:http';

interface Told {
  timestamp: string;
}

/** Milliseconds from each event to its arrival, and when the first and the last one arrived. */
let lags: number[] = [];
let firstAt = 0;
let lastAt = 0;

/** A client's server: `/hook` takes every body, `/stuck` never answers, `/figures` tells what arrived since it was asked last. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === '/stuck') return;
    if (request.url === '/figures') {
      const sorted = lags.sort((a, b) => a - b);
      const p95 = sorted[Math.floor(0.95 * sorted.length)] ?? 0;
      response.end(JSON.stringify({ count: sorted.length, p95, seconds: (lastAt - firstAt) / 1000 }));
      lags = [];
      return;
    }
    const read = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Told | { events: Told[] };
    lastAt = Date.now();
    if (lags.length === 0) firstAt = lastAt;
    for (const { timestamp } of 'events' in read ? read.events : [read]) lags.push(lastAt - Date.parse(timestamp));
    response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address() as { port: number };
  process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
process.once('SIGTERM', () => process.exit(0));
