import { isGeneratedKey, generateApiKey, proofOf } from './api-key';

describe('API keys', () => {
  it('have the documented format and are unique', () => {
    const keys = Array.from({ length: 100 }, generateApiKey);
    for (const key of keys) expect(key).toMatch(/^mta_[0-9a-f]{8}_[A-Za-z0-9_-]{43}$/);
    expect(new Set(keys).size).toBe(100);
    expect(keys.every(isGeneratedKey)).toBe(true);
  });

  it('are found by their prefix and verified by the hash of the whole key', () => {
    const key = generateApiKey();
    expect(proofOf(key).prefix).toBe(key.slice(4, 12));
    expect(proofOf(key).secretHash).toHaveLength(32);
    expect(proofOf(`${key.slice(0, -1)}!`).secretHash).not.toEqual(proofOf(key).secretHash);
  });

  it('in another format are found by eight digits of their hash, which reveal nothing of the key', () => {
    expect(proofOf('a-bootstrap-key-of-the-operator')).toMatchObject({
      prefix: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    expect(isGeneratedKey('a-bootstrap-key-of-the-operator')).toBe(false);
  });
});
