import { InMemoryAccountStore } from '../../../../test/fakes/in-memory-account-store';
import { InMemoryApiKeyStore } from '../../../../test/fakes/in-memory-api-key-store';
import { ManualClock } from '../../../../test/fakes/manual-clock';
import { uuidV7 } from '../../../kernel/uuid';
import { generateApiKey, proofOf } from './api-key';
import { KeyAuthentication } from './key-authentication';

const everywhere = () => true;

describe('KeyAuthentication', () => {
  const accountId = uuidV7();
  const keyId = uuidV7();
  const secret = generateApiKey();
  let clock: ManualClock;
  let keys: InMemoryApiKeyStore;
  let authentication: KeyAuthentication;

  beforeEach(async () => {
    clock = new ManualClock();
    const accounts = new InMemoryAccountStore();
    keys = new InMemoryApiKeyStore(accounts);
    authentication = new KeyAuthentication(keys, clock);
    const fields = { name: 'A', plan: 'Pro', sendingPaused: false, defaultCountry: null, businessPortfolioId: null };
    await accounts.add(accountId, { ...fields, status: 'Active', sender: null });
    await keys.add(
      keyId,
      accountId,
      { name: 'K', scopes: ['jobs:read'], expiresAt: null, allowedIps: ['10.0.0.1'] },
      proofOf(secret),
    );
  });

  const lastUse = async () => (await keys.byId(accountId, keyId))?.lastUsedAt;

  it('returns the holder of a key', async () => {
    expect(await authentication.authenticate(proofOf(secret), everywhere)).toEqual({
      caller: { accountId, keyId, keyPrefix: secret.slice(4, 12), plan: 'Pro', scopes: ['jobs:read'] },
      accountStatus: 'Active',
    });
  });

  it('rejects an unknown key and a key that is not allowed from the address', async () => {
    expect(await authentication.authenticate(proofOf(generateApiKey()), everywhere)).toBeNull();
    expect(await authentication.authenticate(proofOf(secret), (ranges) => !ranges.includes('10.0.0.1'))).toBeNull();
    expect(await lastUse()).toBeNull();
  });

  it('accepts a new key immediately after it was unknown', async () => {
    const later = generateApiKey();
    expect(await authentication.authenticate(proofOf(later), everywhere)).toBeNull();
    await keys.add(uuidV7(), accountId, { name: 'K', scopes: [], expiresAt: null, allowedIps: [] }, proofOf(later));
    expect(await authentication.authenticate(proofOf(later), everywhere)).not.toBeNull();
  });

  it('passes on a failure of the store and reads again the next time', async () => {
    const byPrefix = jest.spyOn(keys, 'byPrefix').mockRejectedValueOnce(new Error('unavailable'));
    await expect(authentication.authenticate(proofOf(secret), everywhere)).rejects.toThrow('unavailable');
    expect(await authentication.authenticate(proofOf(secret), everywhere)).not.toBeNull();
    byPrefix.mockRestore();
  });

  it('reports a key as recently valid for ten minutes', async () => {
    expect(authentication.wasRecentlyValid(proofOf(secret))).toBe(false);
    await authentication.authenticate(proofOf(secret), everywhere);
    clock.advance(599_999);
    expect(authentication.wasRecentlyValid(proofOf(secret))).toBe(true);
    clock.advance(1);
    expect(authentication.wasRecentlyValid(proofOf(secret))).toBe(false);
  });

  it('does not report a revoked key as recently valid', async () => {
    await authentication.authenticate(proofOf(secret), everywhere);
    await keys.revoke(keyId, clock.now());
    clock.advance(2_000);
    expect(await authentication.authenticate(proofOf(secret), everywhere)).toBeNull();
    expect(authentication.wasRecentlyValid(proofOf(secret))).toBe(false);
  });

  it('records the use once a minute and ignores failures to do so', async () => {
    await authentication.authenticate(proofOf(secret), everywhere);
    const first = await lastUse();
    expect(first).toEqual(clock.now());
    clock.advance(59_999);
    await authentication.authenticate(proofOf(secret), everywhere);
    expect(await lastUse()).toEqual(first);
    clock.advance(1);
    const markUsed = jest.spyOn(keys, 'markUsed').mockRejectedValueOnce(new Error('unavailable'));
    expect(await authentication.authenticate(proofOf(secret), everywhere)).not.toBeNull();
    markUsed.mockRestore();
  });
});
