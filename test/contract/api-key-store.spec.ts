import { randomBytes } from 'node:crypto';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { uuidV7 } from '../../src/kernel/uuid';
import { PlatformCredentials } from '../../src/modules/accounts/adapters/platform-credentials';
import { TypeOrmAccountStore } from '../../src/modules/accounts/adapters/typeorm-account-store';
import { TypeOrmApiKeyStore } from '../../src/modules/accounts/adapters/typeorm-api-key-store';
import type { AccountStore } from '../../src/modules/accounts/domain/account-store.port';
import { type ApiKeyFields, proofOf } from '../../src/modules/accounts/domain/api-key';
import type { ApiKeyStore } from '../../src/modules/accounts/domain/api-key-store.port';
import { InMemoryAccountStore } from '../fakes/in-memory-account-store';
import { InMemoryApiKeyStore } from '../fakes/in-memory-api-key-store';
import { describeOnDatabase } from '../support/databases';

interface Stores {
  accounts: AccountStore;
  keys: ApiKeyStore;
}

describe('ApiKeyStore in memory', () => {
  keepsKeys(() => {
    const accounts = new InMemoryAccountStore();
    return Promise.resolve({ accounts, keys: new InMemoryApiKeyStore(accounts) });
  });
});

describeOnDatabase('ApiKeyStore', (open) => {
  keepsKeys(async () => {
    const database = await open();
    const accounts = new TypeOrmAccountStore(
      database,
      new SecretBox(randomBytes(32)),
      new PlatformCredentials('t', 's'),
    );
    return { accounts, keys: new TypeOrmApiKeyStore(database) };
  });
});

const FIELDS: ApiKeyFields = {
  name: 'CRM',
  scopes: ['messaging:send', 'keys:manage'],
  expiresAt: new Date('2030-01-01T00:00:00Z'),
  allowedIps: ['203.0.113.7', '2001:db8::/32'],
};

function keepsKeys(open: () => Promise<Stores>): void {
  const accountId = uuidV7();
  const otherAccountId = uuidV7();
  let accounts: AccountStore;
  let keys: ApiKeyStore;

  beforeAll(async () => {
    ({ accounts, keys } = await open());
    for (const id of [accountId, otherAccountId]) {
      const fields = { name: 'A', plan: 'Pro', sendingPaused: false, defaultCountry: null, businessPortfolioId: null };
      await accounts.add(id, { ...fields, status: 'Active', sender: null });
    }
  });

  const add = async (secret: string, fields = FIELDS): Promise<string> => {
    const id = uuidV7();
    expect(await keys.add(id, accountId, fields, proofOf(secret))).toBe(true);
    return id;
  };

  it('returns a key by prefix, with plan and status of its account', async () => {
    const id = await add('secret one');
    const { prefix, secretHash } = proofOf('secret one');
    const stored = await keys.byPrefix(prefix);
    expect(stored).toMatchObject({
      key: { id, accountId, prefix, ...FIELDS, lastUsedAt: null },
      plan: 'Pro',
      accountStatus: 'Active',
    });
    expect(stored?.secretHash.equals(secretHash)).toBe(true);
    expect(await keys.byPrefix('00000000')).toBeNull();
    const all = await keys.byPrefixes(['00000000', prefix, prefix]);
    expect(all).toEqual([null, stored, stored]);
  });

  it('refuses a duplicate prefix', async () => {
    expect(await keys.add(uuidV7(), accountId, FIELDS, proofOf('secret one'))).toBe(false);
    const id = await add('secret two');
    expect(await keys.replaceProof(id, proofOf('secret one'), null)).toBe(false);
  });

  it('shows a key only to its own account', async () => {
    const id = await add('secret three');
    expect(await keys.byId(accountId, id)).toMatchObject({ id, name: 'CRM' });
    expect(await keys.byId(otherAccountId, id)).toBeNull();
    expect((await keys.page(otherAccountId, { page: 1, pageSize: 10 })).totalCount).toBe(0);
  });

  it('changes only the given fields', async () => {
    const id = await add('secret four');
    await keys.change(id, { expiresAt: null, scopes: ['jobs:read'] });
    expect(await keys.byId(accountId, id)).toMatchObject({
      name: 'CRM',
      scopes: ['jobs:read'],
      expiresAt: null,
      allowedIps: FIELDS.allowedIps,
    });
    await keys.change(id, {});
    expect((await keys.byId(accountId, id))?.name).toBe('CRM');
  });

  it('finds a key only by its new secret after a rotation', async () => {
    const id = await add('secret five');
    expect(await keys.replaceProof(id, proofOf('secret six'), null)).toBe(true);
    expect(await keys.byPrefix(proofOf('secret five').prefix)).toBeNull();
    expect((await keys.byPrefix(proofOf('secret six').prefix))?.key.id).toBe(id);
  });

  it('finds a key by its previous secret, with its expiry, until the next rotation', async () => {
    const until = new Date('2030-01-01T00:00:00Z');
    const id = await add('overlap one');
    expect(await keys.replaceProof(id, proofOf('overlap two'), until)).toBe(true);
    expect(await keys.byId(accountId, id)).toMatchObject({ previousKeyValidUntil: until });
    const { prefix, secretHash } = proofOf('overlap one');
    const before = await keys.byPrefix(prefix);
    expect(before).toMatchObject({ key: { id, prefix: proofOf('overlap two').prefix }, secretValidUntil: until });
    expect(before?.secretHash.equals(secretHash)).toBe(true);
    expect(await keys.byPrefix(proofOf('overlap two').prefix)).toMatchObject({ key: { id }, secretValidUntil: null });
    expect(await keys.add(uuidV7(), accountId, FIELDS, proofOf('overlap one'))).toBe(false);
    expect(await keys.replaceProof(await add('overlap other'), proofOf('overlap one'), null)).toBe(false);
    expect(await keys.replaceProof(id, proofOf('overlap three'), null)).toBe(true);
    expect(await keys.byId(accountId, id)).toMatchObject({ previousKeyValidUntil: null });
    expect(await keys.byPrefix(prefix)).toBeNull();
    expect(await keys.byPrefix(proofOf('overlap two').prefix)).toBeNull();
  });

  it('hides a revoked key from every method', async () => {
    const id = await add('secret seven');
    const { totalCount } = await keys.page(accountId, { page: 1, pageSize: 10 });
    await keys.revoke(id, new Date());
    expect(await keys.byId(accountId, id)).toBeNull();
    expect(await keys.byPrefix(proofOf('secret seven').prefix)).toBeNull();
    expect((await keys.page(accountId, { page: 1, pageSize: 10 })).totalCount).toBe(totalCount - 1);
  });

  it('records the use of a key at most once a minute', async () => {
    const id = await add('secret eight');
    const at = new Date('2026-03-01T10:00:00Z');
    const lastUse = async () => (await keys.byId(accountId, id))?.lastUsedAt;
    await keys.markUsed(id, at);
    expect(await lastUse()).toEqual(at);
    await keys.markUsed(id, new Date(at.getTime() + 59_000));
    expect(await lastUse()).toEqual(at);
    await keys.markUsed(id, new Date(at.getTime() + 60_000));
    expect(await lastUse()).toEqual(new Date(at.getTime() + 60_000));
  });

  it('pages newest first', async () => {
    await add('secret nine', { ...FIELDS, name: 'Newest' });
    const first = await keys.page(accountId, { page: 1, pageSize: 1 });
    expect(first.items.map(({ name }) => name)).toEqual(['Newest']);
    expect((await keys.page(accountId, { page: 99, pageSize: 10 })).items).toEqual([]);
  });
}
