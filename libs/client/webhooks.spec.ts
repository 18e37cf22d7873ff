import { Webhook } from 'standardwebhooks';
import { WebhookVerificationError } from './errors';
import { verifyWebhook, type WebhookRequest } from './webhooks';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
const EVENT = {
  type: 'message.delivered',
  timestamp: '2026-01-15T09:30:00.000Z',
  data: { messageId: 'm', note: 'Zürich' },
};

/** A request signed as in Standard Webhooks. */
function signed(content: object = EVENT, { secret = SECRET, at = new Date() } = {}): WebhookRequest {
  const body = JSON.stringify(content);
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
  return { secret: SECRET, headers, body };
}

describe('verifyWebhook', () => {
  it('returns the event of a signed request, from text and bytes, with any headers object', async () => {
    const request = signed();
    expect(await verifyWebhook(request)).toEqual([EVENT]);
    const bytes = new TextEncoder().encode(request.body as string);
    expect(await verifyWebhook({ ...request, body: bytes })).toEqual([EVENT]);
    const headers = new Headers(request.headers as Record<string, string>);
    expect(await verifyWebhook({ ...request, headers })).toEqual([EVENT]);
  });

  it('returns all events of a batch', async () => {
    expect(await verifyWebhook(signed({ events: [EVENT, EVENT] }))).toEqual([EVENT, EVENT]);
  });

  it('accepts one valid signature among several, and one valid secret among several', async () => {
    const at = new Date();
    const request = signed(EVENT, { secret: OTHER, at });
    expect(await verifyWebhook({ ...request, secret: [SECRET, OTHER] })).toEqual([EVENT]);
    const headers = request.headers as Record<string, string>;
    const valid = (signed(EVENT, { at }).headers as Record<string, string>)['webhook-signature'];
    const both = { ...headers, 'webhook-signature': `v1a,xx ${headers['webhook-signature']} v1,%% ${valid}` };
    expect(await verifyWebhook({ ...request, headers: both })).toEqual([EVENT]);
  });

  it.each<[string, WebhookRequest]>([
    ['another secret', { ...signed(), secret: OTHER }],
    ['a changed body', { ...signed(), body: JSON.stringify({ ...EVENT, data: {} }) }],
    ['no signature', { ...signed(), headers: { 'webhook-id': 'm', 'webhook-timestamp': '1' } }],
    ['an empty signature', withHeader('webhook-signature', 'v1,')],
    ['another id', withHeader('webhook-id', 'msg_2')],
    ['a non-numeric timestamp', withHeader('webhook-timestamp', 'now')],
    ['an expired timestamp', signed(EVENT, { at: new Date(Date.now() - 301_000) })],
    ['a timestamp in the future', signed(EVENT, { at: new Date(Date.now() + 900_000) })],
    ['a malformed secret', { ...signed(), secret: 'whsec_%%%' }],
  ])('rejects %s', async (_, request) => {
    await expect(verifyWebhook(request)).rejects.toThrow(WebhookVerificationError);
    await expect(verifyWebhook(request)).rejects.toMatchObject({ code: 'webhook_not_verified' });
  });

  it.each<[string, unknown, string | readonly string[], string]>([
    ['a parsed body', EVENT, SECRET, 'its body is not raw: pass the raw body, as text or bytes, before JSON parsing.'],
    ['no body', undefined, SECRET, 'its body is not raw: pass the raw body, as text or bytes, before JSON parsing.'],
    ['an empty secret', '{}', '', 'the secret is empty: pass the one that the endpoint was created with.'],
    ['a prefix alone', '{}', ['whsec_'], 'the secret is empty: pass the one that the endpoint was created with.'],
    [
      'an unset secret',
      '{}',
      process.env.NO_SUCH_SECRET!,
      'the secret is empty: pass the one that the endpoint was created with.',
    ],
  ])('says what its caller passed: %s', async (_, body, secret, reason) => {
    const request = { ...signed(), body, secret } as WebhookRequest;
    const message = `The webhook is not verified: ${reason}`;
    await expect(verifyWebhook(request)).rejects.toMatchObject({ code: 'webhook_not_verified', message });
  });

  it('accepts requests within a custom tolerance', async () => {
    const old = signed(EVENT, { at: new Date(Date.now() - 3_000_000) });
    expect(await verifyWebhook({ ...old, toleranceSeconds: 3_600 })).toEqual([EVENT]);
  });
});

function withHeader(name: string, value: string): WebhookRequest {
  const request = signed();
  return { ...request, headers: { ...(request.headers as Record<string, string>), [name]: value } };
}
