import vector from '../fixtures/webhook-signature-vector.json';
import { envelope, parseKeepingIntegers, signatureOf, webhookBody, wireInteger } from './wire';

describe('A webhook body on the wire', () => {
  it('equals the recorded one byte for byte, as does its signature', () => {
    const body = webhookBody(JSON.parse(vector.raw_body));
    expect(body).toBe(vector.raw_body);
    expect(`X-Hub-Signature-256: ${signatureOf(body, vector.app_secret)}`).toBe(vector.header);
  });

  it('is ASCII with lowercase escapes, surrogate pairs, and escaped slashes', () => {
    expect(webhookBody({ a: 'Ä/👍' })).toBe('{"a":"\\u00c4\\/\\ud83d\\udc4d"}');
    expect(JSON.parse(webhookBody({ a: 'Ä/👍\n"' }))).toEqual({ a: 'Ä/👍\n"' });
  });

  it('carries integers of any length as plain numbers', () => {
    expect(webhookBody({ id: wireInteger('9007199254740993') })).toBe('{"id":9007199254740993}');
  });

  it('keeps the digits of long integers from JSON, and does not change texts and fractions', () => {
    const text =
      '{"a":12345678901234567890,"b":"12345678901234567890","c":-9007199254740993,"d":1.5,"e":"\\"1234567890123456"}';
    expect(webhookBody(parseKeepingIntegers(text))).toBe(text);
  });

  it('has a time for account events but not for messages', () => {
    expect(envelope('1', 'account_update', {})).toMatchObject({ entry: [{ id: '1', time: expect.any(Number) }] });
    expect(envelope('1', 'messages', {})).toEqual({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field: 'messages', value: {} }] }],
    });
  });
});
