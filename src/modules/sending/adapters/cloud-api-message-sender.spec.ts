import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import type { Sender } from '../../accounts/domain/sender';
import type { Answer } from '../domain/answer';
import type { OutgoingMessage } from '../domain/outgoing-message';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import { CloudApiMessageSender } from './cloud-api-message-sender';

const sender = { phoneNumberId: '109', accessToken: 'token' } as Sender;
const message: OutgoingMessage = {
  to: '491510000001',
  content: { kind: 'template', template: { name: 'promo', languageCode: 'de', category: 'Marketing', components: [] } },
  callbackData: 'x.1',
  canStillSend: () => true,
};

describe("The platform's answer", () => {
  let server: Server;
  let client: CloudApiClient;
  let reply: { status: number; body: unknown };
  let sends: CloudApiMessageSender;

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

  beforeEach(() => {
    sends = new CloudApiMessageSender(client, new FakeClock());
  });

  function answered(status: number, body: unknown, by: Sender = sender): Promise<Answer> {
    reply = { status, body };
    return sends.send(by, message);
  }

  const refused = (code: number, by?: Sender) => answered(400, { error: { code, message: 'No.' } }, by);

  it.each([
    [130429, 'pace'],
    [131056, 'pair'],
    [132069, 'template'],
    [134101, 'template'],
    [131064, 'templates'],
    [80007, 'account'],
  ])('with throttle code %i delays the %s', async (platformCode, scope) => {
    expect(await refused(platformCode)).toMatchObject({ kind: 'throttled', scope, platformCode });
  });

  describe('with "invalid value" (131009)', () => {
    const marketing: Sender = { ...sender, marketingMessagesApi: true };

    it('is a throttle from the marketing endpoint, which may still prepare the template, and a refusal from any other', async () => {
      expect(await refused(131009, marketing)).toMatchObject({ kind: 'throttled', scope: 'template' });
      expect(await refused(131009)).toMatchObject({ kind: 'refused', scope: 'message', problem: 'parameter_invalid' });
    });

    it('is a refusal for a template that the endpoint has accepted', async () => {
      expect(await answered(200, { messages: [{ id: 'wamid.1' }] }, marketing)).toMatchObject({ kind: 'accepted' });
      expect(await refused(131009, marketing)).toMatchObject({ kind: 'refused', scope: 'message' });
    });

    it('does not affect other codes', async () => {
      expect(await refused(132012, marketing)).toMatchObject({ kind: 'refused', scope: 'message' });
    });
  });

  // An answer that the database cannot store would be retried forever and block all others.
  it('with an id too long for an index is an acceptance with a truncated id', async () => {
    const id = '\u5b57\u0000'.repeat(1000);
    const answer = await answered(200, { messages: [{ id }] });

    expect(answer).toEqual({ kind: 'accepted', platformMessageId: '\u5b57\uFFFD'.repeat(256) });
  });

  it.each([
    ['an outage', 500, 'outage'],
    ['a refusal', 400, 'refused'],
  ])('with a code too large for a column is %s without a code', async (_, status, kind) => {
    const answer = await answered(status, { error: { code: 99_999_999_999, message: 'Odd\u0000.' } });

    expect(answer).toMatchObject({ kind, message: 'Odd\uFFFD.', platformCode: null });
  });
});
