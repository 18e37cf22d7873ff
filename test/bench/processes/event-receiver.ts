import { createServer } from 'node:http';

interface TimestampedEvent {
  timestamp: string;
}

/** Milliseconds from each event to its arrival; times of the first and last arrival. */
let lags: number[] = [];
let firstAt = 0;
let lastAt = 0;

/** A client's server: `/hook` accepts every body, `/stuck` never responds, `/figures` returns what arrived since its last call. */
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
    const read = JSON.parse(Buffer.concat(chunks).toString('utf8')) as
      TimestampedEvent | { events: TimestampedEvent[] };
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
