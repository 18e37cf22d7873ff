import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import { type NumberAccess, NumberRefusedError, NumberUnavailableError } from '../domain/platform-number.port';
import { CloudApiPlatformNumber } from './cloud-api-platform-number';
import { PlatformCredentials } from './platform-credentials';

const sender: NumberAccess = { phoneNumberId: '109', accessToken: 'token', appSecret: 'secret' };
const FIELDS = 'display_phone_number,throughput,quality_rating,whatsapp_business_manager_messaging_limit';
const ALL_FIELDS = `${FIELDS},is_on_biz_app`;

describe('CloudApiPlatformNumber', () => {
  let reply: { status: number; body: unknown };
  let paths: string[];
  let tokens: (string | undefined)[];
  let server: Server;
  let client: CloudApiClient;
  let number: CloudApiPlatformNumber;

  beforeAll(async () => {
    server = createServer((request, response) => {
      paths.push(request.url!);
      tokens.push(request.headers.authorization);
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = new CloudApiClient({ baseUrl, version: 'v25.0', timeoutMs: 1000 });
    number = new CloudApiPlatformNumber(client, new PlatformCredentials('of-the-environment', 'secret'));
  });

  beforeEach(() => {
    paths = [];
    tokens = [];
  });

  afterAll(async () => {
    await client.close();
    server.close();
  });

  it('requests the fields of its number', async () => {
    reply = { status: 200, body: { id: '109' } };
    await number.stateOf(sender);
    expect(paths.map((path) => new URL(path, 'http://platform'))).toMatchObject([{ pathname: '/v25.0/109' }]);
    expect(new URL(paths[0]!, 'http://platform').searchParams.get('fields')).toBe(ALL_FIELDS);
  });

  it('limits a number that is also used in the app', async () => {
    reply = { status: 200, body: { throughput: { level: 'STANDARD' }, is_on_biz_app: true } };
    expect(await number.stateOf(sender)).toMatchObject({ messagesPerSecond: 20 });
  });

  it('repeats the request without a field that the platform does not support', async () => {
    reply = { status: 400, body: { error: { code: 100, message: 'Tried accessing nonexisting field' } } };
    await expect(number.stateOf(sender)).rejects.toThrow('nonexisting');
    const fields = paths.map((path) => new URL(path, 'http://platform').searchParams.get('fields'));
    expect(fields).toEqual([ALL_FIELDS, FIELDS]);
  });

  it.each([
    ['STANDARD', 'TIER_250', 80, '250'],
    ['STANDARD', 'TIER_NOT_SET', 80, '250'],
    ['HIGH', 'TIER_UNLIMITED', 1000, 'Unlimited'],
    ['HIGH', 'TIER_1K', 1000, '1000'],
    ['STANDARD', 'TIER_2K', 80, '2000'],
    ['STANDARD', 'TIER_10K', 80, '10000'],
    ['STANDARD', 'TIER_100K', 80, '100000'],
    ['STANDARD', 'TIER_50', 80, '250'],
    ['NOT_APPLICABLE', 'TIER_NEW', null, null],
  ])('reads %s and %s', async (level, tier, messagesPerSecond, messagingTier) => {
    reply = { status: 200, body: { throughput: { level }, whatsapp_business_manager_messaging_limit: tier } };
    expect(await number.stateOf(sender)).toEqual({
      messagesPerSecond,
      messagingTier,
      qualityRating: null,
      displayPhoneNumber: null,
    });
  });

  it.each([
    ['+49 30 900000001', '+49 30 900000001'],
    ['', null],
    [4930900000001, null],
    ['1'.repeat(33), null],
  ])('reads the display number %p', async (display_phone_number, displayPhoneNumber) => {
    reply = { status: 200, body: { display_phone_number } };
    expect(await number.stateOf(sender)).toMatchObject({ displayPhoneNumber });
  });

  it.each([
    ['GREEN', 'Green'],
    ['YELLOW', 'Yellow'],
    ['RED', 'Red'],
    ['NA', null],
  ])('reads the quality %s', async (quality_rating, qualityRating) => {
    reply = { status: 200, body: { quality_rating } };
    expect(await number.stateOf(sender)).toMatchObject({ qualityRating });
  });

  it.each([{}, { throughput: 'HIGH' }, { throughput: { level: 3 }, whatsapp_business_manager_messaging_limit: null }])(
    'reads nothing from %j',
    async (body) => {
      reply = { status: 200, body };
      expect(await number.stateOf(sender)).toEqual({
        messagesPerSecond: null,
        messagingTier: null,
        qualityRating: null,
        displayPhoneNumber: null,
      });
    },
  );

  it('uses the given token, otherwise that of the environment', async () => {
    reply = { status: 200, body: { id: '109' } };
    await number.stateOf(sender);
    await number.stateOf({ ...sender, accessToken: null });
    expect(new Set(tokens)).toEqual(new Set(['Bearer token', 'Bearer of-the-environment']));
  });

  it.each([
    ['an expired token', 401, 190, NumberRefusedError, { code: 'platform_credentials_invalid' }],
    ['an unknown number', 400, 100, NumberRefusedError, null],
    ['a limit of calls', 400, 4, NumberUnavailableError, undefined],
  ])('classifies a refusal: %s', async (_, status, code, kind, problem) => {
    reply = { status, body: { error: { code, message: 'No' } } };
    const error: unknown = await number.stateOf(sender).catch((thrown: unknown) => thrown);
    expect((error as Error).constructor).toBe(kind);
    expect((error as Partial<NumberRefusedError>).problem).toEqual(problem && expect.objectContaining(problem));
  });

  it.each([
    ['a refusal', 401, { error: { code: 190, message: 'Expired' } }, /Expired \(code 190\)/],
    ['a gateway error', 502, {}, /HTTP 502/],
    ['an unexpected form', 200, [], /unexpected form/],
  ])('reports why it could not be read: %s', async (_, status, body, reason) => {
    reply = { status, body };
    const read = number.stateOf(sender);
    await expect(read).rejects.toThrow(NumberUnavailableError);
    await expect(read).rejects.toThrow(reason);
  });
});
