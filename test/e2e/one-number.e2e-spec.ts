import fc from 'fast-check';
import { Client } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { type Service, startService, until } from '../support/process/service';
import { freePort } from '../support/free-port';

/** Numbers that end in `n`, four digits: the canonical one, others in digits only, and others in human notation. */
const NUMBERS: Record<string, (n: string) => { canonical: string; digits: string[]; texts: string[] }> = {
  Germany: (n) => ({
    canonical: `491511234${n}`,
    digits: [`4901511234${n}`],
    texts: [`+49 (0) 151/1234-${n}`, `0049 151 1234 ${n}`, `＋４９ 151 1234 ${n}`],
  }),
  'United Kingdom': (n) => ({
    canonical: `44791112${n}`,
    digits: [`440791112${n}`],
    texts: [`+44 (0)7911 12${n}`, `٤٤ 7911 12${n}`],
  }),
  Italy: (n) => ({ canonical: `39061234${n}`, digits: [], texts: [`+39 06 1234 ${n}`, `+39 (0)6 1234.${n}`] }),
  Brazil: (n) => ({
    canonical: `551198765${n}`,
    digits: [`55118765${n}`, `55011987 65${n}`.replace(' ', '')],
    texts: [`+55 (11) 8765-${n}`, `+55 (0)11 98765-${n}`],
  }),
  Mexico: (n) => ({ canonical: `52551234${n}`, digits: [`521551234${n}`], texts: [`+52 1 55 1234 ${n}`] }),
  Argentina: (n) => ({
    canonical: `549112345${n}`,
    digits: [`54112345${n}`, `5411152345${n}`],
    texts: [`+54 9 11 2345-${n}`, `+54 (011) 15-2345-${n}`],
  }),
};

describe('A number in many spellings', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start();
    const port = await freePort();
    const env = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}/`, MESSAGING_TIER: '100000' };
    service = await startService({ platformUrl: platform.url, env });
    client = new Client(service);
    await platform.subscribed();
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const send = (to: string, headers?: Record<string, string>) =>
    client.post('/send-template', { templateName: 'hello_world', to }, { headers });
  const itemsOf = async (path: string) => (await client.get(path)).body.items as Record<string, unknown>[];
  const tierUsed = async () => (await itemsOf('/senders'))[0]!.tierUsed as number;
  const searched = (path: string, text: string) => itemsOf(`${path}=${encodeURIComponent(text)}`);
  const inbound = (from: string) =>
    fetch(`${platform.url}/sandbox/inbound`, { method: 'POST', body: JSON.stringify({ from, text: 'Hello' }) });

  it('has one opt-out, one contact, one conversation and one place in the tier', async () => {
    const person = fc.record({
      country: fc.constantFrom(...Object.keys(NUMBERS)),
      n: fc.stringMatching(/^[1-9]\d{3}$/),
      order: fc.infiniteStream(fc.nat()),
    });
    const written = new Set<string>();
    await fc.assert(
      fc.asyncProperty(person, async ({ country, n, order }) => {
        const { canonical, digits, texts } = NUMBERS[country]!(n);
        fc.pre(!written.has(canonical));
        written.add(canonical);
        const oneOf = (list: string[]) => list[(order.next().value as number) % list.length]!;
        const inDigits = () => oneOf([canonical, ...digits]);
        const inText = () => oneOf([canonical, ...digits, ...texts]);

        expect((await client.post('/opt-outs', { phone: inText() })).body.phone).toBe(canonical);
        for (const to of [canonical, ...digits]) expectError(await send(to), 422, 'recipient_opted_out');
        expect((await client.call('DELETE', `/opt-outs/${encodeURIComponent(inText())}`)).status).toBe(204);

        const used = await tierUsed();
        const key = { 'idempotency-key': `to-${canonical}` };
        const first = await send(inDigits(), key);
        expect([first.status, first.body.to]).toEqual([201, canonical]);
        expect((await send(inDigits(), key)).body.messageId).toBe(first.body.messageId);
        const second = await send(inDigits());
        expect([second.status, second.body.to]).toEqual([201, canonical]);
        expect(await tierUsed()).toBe(used + 1);
        expect((await platform.accepted()).filter((to) => to === canonical)).toHaveLength(2);

        expect((await inbound(inDigits())).status).toBe(200);
        const conversation = () => searched('/conversations?search', inText());
        await until(async () => (await conversation())[0]?.unreadCount === 1, 10_000, 'the answer has arrived');
        expect(await conversation()).toMatchObject([{ contactPhone: canonical }]);
        const sent = await searched('/messages?to', inText());
        expect(sent.map(({ id }) => id).sort()).toEqual([first.body.messageId, second.body.messageId].sort());

        expectError(await client.post('/contacts', { phone: inText() }), 409, 'contact_phone_taken');
        expect(await searched('/contacts?phone', inText())).toMatchObject([{ phone: canonical }]);
        expect(await searched('/contacts?search', inText())).toMatchObject([{ phone: canonical }]);
      }),
      { numRuns: 12 },
    );
  });
});
