import { isOwnKeyForm, makeApiKey, proofOf } from './api-key';

describe('API keys', () => {
  it('have the documented form and never repeat', () => {
    const keys = Array.from({ length: 100 }, makeApiKey);
    for (const key of keys) expect(key).toMatch(/^mta_[0-9a-f]{8}_[A-Za-z0-9_-]{43}$/);
    expect(new Set(keys).size).toBe(100);
    expect(keys.every(isOwnKeyForm)).toBe(true);
  });

  it('are found by the prefix they carry, and proved by the hash of all of it', () => {
    const key = makeApiKey();
    expect(proofOf(key).prefix).toBe(key.slice(4, 12));
    expect(proofOf(key).secretHash).toHaveLength(32);
    expect(proofOf(`${key.slice(0, -1)}!`).secretHash).not.toEqual(proofOf(key).secretHash);
  });

  it('of another form are found by eight digits of their hash, which tell nothing of the key', () => {
    expect(proofOf('a-bootstrap-key-of-the-operator')).toMatchObject({
      prefix: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    expect(isOwnKeyForm('a-bootstrap-key-of-the-operator')).toBe(false);
  });
});
