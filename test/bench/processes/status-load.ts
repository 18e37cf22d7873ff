import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { SANDBOX_CREDENTIALS } from '../../../libs/platform-sandbox/credentials';

interface Order {
  url: string;
  path: string;
  /** JSON of the sandbox's ledger. */
  ledgerFile: string;
  /** The reported entries of it. */
  from: number;
  count: number;
  perBody: number;
  /** Concurrent requests. */
  concurrency: number;
  /** Maximum number of statuses per second; absent: unlimited. */
  perSecond?: number;
}

interface Accepted {
  messageId: string;
  callbackData: string;
  to: string;
}

interface SignedBody {
  text: string;
  signature: string;
}

/** Reports messages as delivered, like the platform, and prints the statuses per second that got a 200. */
async function main({ url, path, ledgerFile, from, count, perBody, concurrency, perSecond }: Order): Promise<void> {
  const accepted = (JSON.parse(readFileSync(ledgerFile, 'utf8')) as Accepted[]).slice(from, from + count);
  const bodies: SignedBody[] = [];
  for (let at = 0; at < accepted.length; at += perBody) bodies.push(signed(accepted.slice(at, at + perBody)));
  const pool = new Pool(url, { connections: concurrency, pipelining: 1 });
  const times: number[] = [];
  const begun = performance.now();
  let next = 0;
  const client = async (): Promise<void> => {
    for (let n = next++; n < bodies.length; n = next++) {
      const dueIn = perSecond ? begun + (n * perBody * 1000) / perSecond - performance.now() : 0;
      if (dueIn > 0) await new Promise((done) => setTimeout(done, dueIn));
      const { text, signature } = bodies[n]!;
      const left = performance.now();
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
      const answer = await pool.request({ method: 'POST', path, headers, body: text });
      const said = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`Answered ${answer.statusCode}: ${said}`);
      times.push(performance.now() - left);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  const seconds = (performance.now() - begun) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  const result = { perSecond: accepted.length / seconds, p99: times[Math.floor(times.length * 0.99)] };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

function signed(accepted: Accepted[]): SignedBody {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const value = {
    messaging_product: 'whatsapp',
    metadata: {
      display_phone_number: SANDBOX_CREDENTIALS.displayPhoneNumber.replace(/\D/g, ''),
      phone_number_id: SANDBOX_CREDENTIALS.phoneNumberId,
    },
    statuses: accepted.map(({ messageId, callbackData, to }) => ({
      id: messageId,
      status: 'delivered',
      timestamp,
      recipient_id: to.replace(/\D/g, ''),
      biz_opaque_callback_data: callbackData,
      pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
    })),
  };
  const entry = [{ id: SANDBOX_CREDENTIALS.businessAccountId, changes: [{ value, field: 'messages' }] }];
  const text = JSON.stringify({ object: 'whatsapp_business_account', entry });
  const digest = createHmac('sha256', SANDBOX_CREDENTIALS.appSecret).update(text).digest('hex');
  return { text, signature: `sha256=${digest}` };
}

void main(JSON.parse(process.argv[2]!) as Order);
