import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signedHeaders } from './webhook-signature';

describe('The signature of a webhook', () => {
  const body = '{"type":"message.sent","timestamp":"2026-01-15T09:30:00.000Z","data":{"text":"größer ✓"}}';
  const message = () => ({ id: 'msg_1_0', at: new Date(), body });

  it('is accepted by the Standard Webhooks library', () => {
    const secret = newWebhookSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Webhook(secret).verify(body, signedHeaders([secret], message()))).toEqual(JSON.parse(body));
    expect(newWebhookSecret()).not.toBe(secret);
  });

  it('is accepted with either of two valid secrets', () => {
    const [next, old] = [newWebhookSecret(), newWebhookSecret()];
    const headers = signedHeaders([next, old], message());
    for (const secret of [next, old]) expect(new Webhook(secret).verify(body, headers)).toBeDefined();
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow('No matching signature');
  });

  it('is rejected for another body, id or time', () => {
    const secret = newWebhookSecret();
    const headers = signedHeaders([secret], message());
    const webhook = new Webhook(secret);
    expect(() => webhook.verify(`${body} `, headers)).toThrow();
    expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'msg_1_1' })).toThrow();
    expect(() => webhook.verify(body, { ...headers, 'webhook-timestamp': '1' })).toThrow();
  });
});
