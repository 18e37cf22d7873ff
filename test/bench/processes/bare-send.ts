import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { Pool } from 'undici';

interface Order {
  databaseUrl: string;
  platformUrl: string;
  phoneNumberId: string;
  accessToken: string;
  messages: number;
  inFlight: number;
}

interface Sent {
  id: string;
  phone: string;
  platformId: string;
}

const ROWS_A_STATEMENT = 500;

/** Sends messages with this many requests in flight and writes one row for each, in batches, without safeguards. */
async function main(order: Order): Promise<void> {
  const { databaseUrl, platformUrl, messages, inFlight } = order;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    'CREATE TABLE IF NOT EXISTS bare_sent (id uuid PRIMARY KEY, phone text, platform_id text, at timestamptz)',
  );
  const platform = new Pool(platformUrl, { connections: inFlight, pipelining: 1 });
  const begun = performance.now();
  const cpuBefore = process.cpuUsage();
  let next = 0;
  let sent: Sent[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  const sender = async (): Promise<void> => {
    while (next < messages) {
      const phone = String(4_915_110_000_000 + 10 * next++);
      sent.push({ id: randomUUID(), phone, platformId: await send(platform, order, phone) });
      if (sent.length < ROWS_A_STATEMENT) continue;
      const batch = sent;
      sent = [];
      writing = writing.then(() => insert(client, batch));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, sender));
  await writing;
  await insert(client, sent);
  const seconds = (performance.now() - begun) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  await platform.close();
  await client.query('TRUNCATE bare_sent');
  await client.end();
  process.stdout.write(
    `${JSON.stringify({ perSecond: messages / seconds, cpuSeconds: (cpu.user + cpu.system) / 1e6 })}\n`,
  );
}

async function send(platform: Pool, { phoneNumberId, accessToken }: Order, phone: string): Promise<string> {
  const answer = await platform.request({
    method: 'POST',
    path: `/v25.0/${phoneNumberId}/messages`,
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      to: `+${phone}`,
      type: 'template',
      template: {
        name: 'order_update',
        language: { code: 'en_US' },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Mira' },
              { type: 'text', text: 'PK-1' },
            ],
          },
        ],
      },
    }),
  });
  return ((await answer.body.json()) as { messages: { id: string }[] }).messages[0]!.id;
}

function insert(client: Client, batch: Sent[]): Promise<unknown> {
  return client.query(
    'INSERT INTO bare_sent SELECT id, phone, platform_id, now() FROM unnest($1::uuid[], $2::text[], $3::text[]) AS s (id, phone, platform_id)',
    [batch.map(({ id }) => id), batch.map(({ phone }) => phone), batch.map(({ platformId }) => platformId)],
  );
}

void main(JSON.parse(process.argv[2]!) as Order);
