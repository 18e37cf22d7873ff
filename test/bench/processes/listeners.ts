import { request } from 'node:http';

interface Order {
  url: string;
  key: string;
  count: number;
}

const RETRY_MS = 1000;

/** Opens one event stream this many times, and prints a line once all are open. */
async function main({ url, key, count }: Order): Promise<void> {
  const open = (): Promise<void> =>
    new Promise((done, fail) => {
      request(url, { headers: { 'x-api-key': key } }, (answer) => {
        answer.resume();
        if (answer.statusCode === 200) done();
        // So many at once are more than the plan allows in a second, and those of before may still be closing.
        else if (answer.statusCode === 429) setTimeout(() => void open().then(done, fail), RETRY_MS);
        else fail(new Error(`Answered ${answer.statusCode}`));
      })
        .on('error', fail)
        .end();
    });
  await Promise.all(Array.from({ length: count }, open));
  process.stdout.write(`Listens to ${url}\n`);
  process.once('SIGTERM', () => process.exit(0));
}

void main(JSON.parse(process.argv[2]!) as Order);
