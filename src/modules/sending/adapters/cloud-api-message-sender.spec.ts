import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import type { Sender } from '../../accounts/domain/sender';
import type { Answer } from '../domain/answer';
import type { OutgoingMessage } from '../domain/outgoing-message';
import { CloudApiMessageSender } from './cloud-api-message-sender';

const sender = { phoneNumberId: '109', accessToken: 'token' } as Sender;
const message: OutgoingMessage = {
  to: '491510000001',
  content: { kind: 'template', template: { name: 'promo', languageCode: 'de', category: 'Marketing', components: [] } },
  callbackData: 'x.1',
  canStillSend: () => true,
};

/** What the database takes: an answer beyond that would be tried for ever and hold up every other. */
describe('An answer of the platform that no database could keep', () => {
  let server: Server;
  let client: CloudApiClient;
  let reply: { status: number; body: unknown };

  beforeAll(async () => {
    server = createServer((_, response) => {
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = new CloudApiClient({ baseUrl, version: 'v25.0', timeoutMs: 1000 });
  });

  afterAll(async () => {
    await client.close();
    server.close();
  });

  function answered(status: number, body: unknown): Promise<Answer> {
    reply = { status, body };
    return new CloudApiMessageSender(client).send(sender, message);
  }

  it('is an acceptance all the same, its id cut to what an index holds', async () => {
    const id = '\u5b57\u0000'.repeat(1000);
    const answer = await answered(200, { messages: [{ id }] });

    expect(answer).toEqual({ kind: 'accepted', platformMessageId: '\u5b57\uFFFD'.repeat(256) });
  });

  it.each([
    ['an outage', 500, 'outage'],
    ['a refusal', 400, 'refused'],
  ])('is %s without the number of its code', async (_, status, kind) => {
    const answer = await answered(status, { error: { code: 99_999_999_999, message: 'Odd\u0000.' } });

    expect(answer).toMatchObject({ kind, message: 'Odd\uFFFD.', platformCode: null });
  });
});
