import { AppSecretProofs } from './app-secret-proofs';

describe('An app secret proof', () => {
  const proofs = new AppSecretProofs();

  it('is the HMAC of the token, in hex', () => {
    // printf token | openssl dgst -sha256 -hmac secret
    const proof = 'e941110e3d2bfe82621f0e3e1434730d7305d106c5f68c87165d0b27a4611a4a';
    expect(proofs.of({ accessToken: 'token', appSecret: 'secret' })).toBe(proof);
    expect(proofs.of({ accessToken: 'token', appSecret: 'secret' })).toBe(proof);
  });

  it('differs for another secret of the same token', () => {
    const [one, other] = ['one', 'other'].map((appSecret) => proofs.of({ accessToken: 'token', appSecret }));
    expect(one).not.toBe(other);
    expect(proofs.of({ accessToken: 'token', appSecret: 'one' })).toBe(one);
  });

  it('is absent without a secret', () => {
    expect(proofs.of({ accessToken: 'token' })).toBeUndefined();
  });
});
