import { Pool } from 'undici';

interface Order {
  url: string;
  path: string;
  key: string;
  concurrency: number;
  warmUpMs: number;
  forMs: number;
}

/** Posts messages to one route with this many requests in flight; prints the 201 responses per second and their times. */
async function main({ url, path, key, concurrency, warmUpMs, forMs }: Order): Promise<void> {
  const pool = new Pool(url, { connections: concurrency, pipelining: 1 });
  const times: number[] = [];
  const begun = performance.now() + warmUpMs;
  const end = begun + forMs;
  let sent = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const body = JSON.stringify({
        // Endings from 0001 to 0009 fail on purpose in the sandbox.
        to: String(4_915_110_000_000 + 10 * sent++),
        templateName: 'order_update',
        templateParameters: [{ text: 'Mira' }, { text: `PK-${sent}` }],
      });
      const left = performance.now();
      const answer = await pool.request({
        method: 'POST',
        path,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body,
      });
      const text = await answer.body.text();
      const now = performance.now();
      // The first ones may be queued (202): the process is still acquiring the right to send.
      if (answer.statusCode !== 201 && (left >= begun || answer.statusCode !== 202)) {
        throw new Error(`Answered ${answer.statusCode}: ${text}`);
      }
      if (left >= begun && now <= end) times.push(now - left);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  await pool.close();
  times.sort((a, b) => a - b);
  const within = (share: number): number | undefined => times[Math.floor(times.length * share)];
  const result = { perSecond: (times.length * 1000) / forMs, p50: within(0.5), p99: within(0.99) };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

void main(JSON.parse(process.argv[2]!) as Order);
