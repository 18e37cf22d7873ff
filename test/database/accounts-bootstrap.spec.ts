import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { SystemClock } from '../../src/infra/system-clock';
import { SCOPES } from '../../src/kernel/caller';
import { uuidV7 } from '../../src/kernel/uuid';
import { DiskFirstKeyFile } from '../../src/modules/accounts/adapters/disk-first-key-file';
import { FirstAccountWarning } from '../../src/modules/accounts/adapters/first-account-warning';
import { PlatformCredentials } from '../../src/modules/accounts/adapters/platform-credentials';
import { PostgresAuditStore } from '../../src/modules/accounts/adapters/postgres-audit-store';
import { TypeOrmAccountStore } from '../../src/modules/accounts/adapters/typeorm-account-store';
import { TypeOrmApiKeyStore } from '../../src/modules/accounts/adapters/typeorm-api-key-store';
import { AccountsBootstrap } from '../../src/modules/accounts/domain/accounts-bootstrap';
import { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import { generateApiKey, proofOf } from '../../src/modules/accounts/domain/api-key';
import { UNSET_SENDER_FIELDS } from '../../src/modules/accounts/domain/sender';
import { FirstAccount } from '../../src/modules/accounts/domain/first-account';
import type { FirstKeyFile } from '../../src/modules/accounts/domain/first-key-file.port';
import { Plans } from '../../src/modules/accounts/domain/plans';
import { describeOnDatabase } from '../support/databases';

const ENTERPRISE = { Enterprise: { requestsPerSecond: 500, burst: 1_000, maxRowsPerFile: 1_000_000 } };
const IDS = { phoneNumberId: '109876543210001', businessAccountId: '204876543210002' };

describeOnDatabase('The first account', (open) => {
  let database: Database;
  let accounts: TypeOrmAccountStore;
  let keys: TypeOrmApiKeyStore;
  let audit: PostgresAuditStore;
  let dataDir: string;
  const box = new SecretBox(randomBytes(32));

  beforeAll(async () => {
    database = await open();
    accounts = new TypeOrmAccountStore(database, box, new PlatformCredentials('token', 'secret'));
    keys = new TypeOrmApiKeyStore(database);
    audit = new PostgresAuditStore(database);
  });
  beforeEach(async () => {
    await database.execute('DELETE FROM accounts');
    dataDir = mkdtempSync(join(tmpdir(), 'first-account-'));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(dataDir, { recursive: true });
  });

  const start = (
    given: Partial<FirstAccount> = {},
    file: FirstKeyFile = new DiskFirstKeyFile(dataDir),
    plans = ENTERPRISE,
  ): Promise<void> => bootstrapOf(given, file, plans).onModuleInit();
  const bootstrapOf = (
    given: Partial<FirstAccount>,
    file: FirstKeyFile = new DiskFirstKeyFile(dataDir),
    plans = ENTERPRISE,
  ) =>
    new AccountsBootstrap(
      accounts,
      keys,
      new FirstAccount({ ...IDS, fromEnvironment: {}, ...given }),
      file,
      new Plans(plans),
      new AuditLogService(audit, new SystemClock()),
      new TypeOrmUnitOfWork(database),
    );
  const keyInFile = () => readFileSync(join(dataDir, 'first-api-key'), 'utf8');
  const keyWorks = async (key: string) => {
    const stored = await keys.byPrefix(proofOf(key).prefix);
    return stored?.secretHash.equals(proofOf(key).secretHash) ?? false;
  };

  it('is created with a sender, the plan Enterprise and a key of all scopes', async () => {
    await start();
    expect(await accounts.first()).toMatchObject({
      name: 'Default',
      plan: 'Enterprise',
      status: 'Active',
      sender: { ...IDS, messagesPerSecond: 80, messagingTier: 'Unlimited', accessToken: 'token', appSecret: 'secret' },
    });
    const key = keyInFile();
    expect(key).toMatch(/^mta_[0-9a-f]{8}_[\w-]{43}$/);
    expect(statSync(join(dataDir, 'first-api-key')).mode & 0o777).toBe(0o600);
    expect(await keyWorks(key)).toBe(true);
    expect((await keys.byPrefix(proofOf(key).prefix))?.key).toMatchObject({
      scopes: SCOPES,
      expiresAt: null,
      allowedIps: [],
    });
  });

  it('is in the audit log with its key, without an author', async () => {
    await start();
    await start();
    const accountId = (await accounts.first())!.id;
    const keyId = (await keys.byPrefix(proofOf(keyInFile()).prefix))!.key.id;
    const { items } = await audit.slice({ accountId }, null, 10);
    const byNobody = { accountId, actorAccountId: accountId, keyPrefix: null, address: null };
    expect(items).toMatchObject([
      { ...byNobody, action: 'key.created', targetId: keyId, fields: ['name', 'scopes', 'expiresAt', 'allowedIps'] },
      { ...byNobody, action: 'account.created', targetId: accountId },
    ]);
  });

  it('gets the key of the environment in any form, without a file', async () => {
    const apiKey = 'a-bootstrap-key-of-the-operator!';
    await start({ apiKey });
    expect(await keyWorks(apiKey)).toBe(true);
    expect(await keyWorks(`${apiKey}x`)).toBe(false);
    expect(keyInFile).toThrow(/ENOENT/);
  });

  it('logs where its key is, while it is the only one and still in the file', async () => {
    const bootstrap = bootstrapOf({});
    await bootstrap.onModuleInit();
    expect(await bootstrap.firstKeyPath()).toBe(join(dataDir, 'first-api-key'));
    const { id } = (await accounts.first())!;
    const fields = { name: 'Second', scopes: [], expiresAt: null, allowedIps: [] };
    await keys.add(uuidV7(), id, fields, proofOf(generateApiKey()));
    expect(await bootstrap.firstKeyPath()).toBeNull();
  });

  it('logs nothing about a key that is not in the file, or differs', async () => {
    const bootstrap = bootstrapOf({});
    await bootstrap.onModuleInit();
    writeFileSync(join(dataDir, 'first-api-key'), generateApiKey());
    expect(await bootstrap.firstKeyPath()).toBeNull();
    rmSync(join(dataDir, 'first-api-key'));
    expect(await bootstrap.firstKeyPath()).toBeNull();
  });

  it('is created once: a later start changes neither account nor key, and writes no file', async () => {
    await start();
    const first = await accounts.first();
    const key = keyInFile();
    rmSync(join(dataDir, 'first-api-key'));
    await start({ apiKey: 'another-key-that-comes-too-late' });
    expect(await accounts.first()).toEqual(first);
    expect(await keyWorks(key)).toBe(true);
    expect(await keyWorks('another-key-that-comes-too-late')).toBe(false);
    expect(keyInFile).toThrow(/ENOENT/);
  });

  it('is created once if several processes start together', async () => {
    const files = Array.from({ length: 5 }, (_, n) => new DiskFirstKeyFile(join(dataDir, `${n}`)));
    await Promise.all(files.map((file) => start({}, file)));
    expect((await accounts.page({ page: 1, pageSize: 10 })).totalCount).toBe(1);
    const written = files.map((file) => file.read()).filter((key) => key !== null);
    expect(written).toHaveLength(1);
    expect(await keyWorks(written[0]!)).toBe(true);
  });

  it('has the key written by a start that was killed before its commit', async () => {
    const disk = new DiskFirstKeyFile(dataDir);
    const killed: FirstKeyFile = {
      path: disk.path,
      read: () => disk.read(),
      write: (key) => {
        disk.write(key);
        throw new Error('killed');
      },
    };
    await expect(start({}, killed)).rejects.toThrow('killed');
    expect(await accounts.first()).toBeNull();
    const key = keyInFile();
    await start();
    expect(keyInFile()).toBe(key);
    expect(await keyWorks(key)).toBe(true);
  });

  it('reads no key from a file with other contents', async () => {
    writeFileSync(join(dataDir, 'first-api-key'), 'my notes');
    await start();
    expect(await keyWorks(keyInFile())).toBe(true);
  });

  it('applies pace and tier of the environment at each start, if set', async () => {
    await start({ messagesPerSecond: 20, messagingTier: '1000' });
    expect((await accounts.first())?.sender).toMatchObject({ messagesPerSecond: 20, messagingTier: '1000' });
    await start({ messagesPerSecond: 250 });
    expect((await accounts.first())?.sender).toMatchObject({ messagesPerSecond: 250, messagingTier: '1000' });
    await start();
    expect((await accounts.first())?.sender).toMatchObject({ messagesPerSecond: 250, messagingTier: '1000' });
  });

  it('applies and compares the sender with the phone number id of the environment, otherwise the oldest', async () => {
    const fromEnvironment = { PLATFORM_PHONE_NUMBER_ID: IDS.phoneNumberId };
    await start({ fromEnvironment });
    const { id, sender: oldest } = (await accounts.first())!;
    const other = uuidV7();
    const fields = { ...UNSET_SENDER_FIELDS, phoneNumberId: '109876543210009', businessAccountId: '2' };
    await accounts.addSender(id, other, fields);
    await accounts.makeDefault(id, other);
    const rates = async () =>
      (await accounts.sendersOf(id)).map((sender) => [sender.id, sender.messagesPerSecond] as const);

    await start({ messagesPerSecond: 20, fromEnvironment });
    expect(await rates()).toEqual([
      [other, 80],
      [oldest!.id, 20],
    ]);
    expect(await bootstrapOf({ fromEnvironment }).differences()).toMatchObject({ senderId: oldest!.id, ofSender: [] });

    await start({ messagesPerSecond: 30, phoneNumberId: fields.phoneNumberId });
    expect((await rates())[0]).toEqual([other, 30]);
    await start({ messagesPerSecond: 40, phoneNumberId: '109876543210099' });
    expect((await rates())[1]).toEqual([oldest!.id, 40]);
  });

  it("uses the environment's values, otherwise the platform's", async () => {
    await start({ messagingTier: '1000' });
    const { sender } = (await accounts.first())!;
    await accounts.recordLimits(sender!.id, { messagesPerSecond: 1000, messagingTier: '100000' });
    expect((await accounts.first())?.sender).toMatchObject({ messagesPerSecond: 1000, messagingTier: '1000' });
    await start({ messagesPerSecond: 20 });
    expect((await accounts.first())?.sender).toMatchObject({ messagesPerSecond: 20, messagingTier: '1000' });
  });

  it('is compared with the environment: differing settings are named, without their values', async () => {
    const apiKey = 'a-bootstrap-key-of-the-operator!';
    const fromEnvironment = { PLATFORM_PHONE_NUMBER_ID: IDS.phoneNumberId, PLATFORM_ACCESS_TOKEN: 'token' };
    await start({ apiKey, fromEnvironment });
    const { id: accountId, sender } = (await accounts.first())!;
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const warnings = async (given: Partial<FirstAccount>): Promise<unknown[]> => {
      warn.mockClear();
      await new FirstAccountWarning(bootstrapOf(given)).onApplicationBootstrap();
      return warn.mock.calls.map(([line]: unknown[]) => line);
    };

    expect(await warnings({ apiKey, fromEnvironment })).toEqual([]);
    expect(await warnings({ fromEnvironment: {} })).toEqual([]);
    await accounts.change(accountId, { sender: { phoneNumberId: '42', accessToken: 'own' } });
    expect(await warnings({ apiKey, fromEnvironment })).toEqual([
      expect.stringMatching(
        `^PLATFORM_PHONE_NUMBER_ID, PLATFORM_ACCESS_TOKEN: .* take precedence.* PATCH /accounts/${accountId}/senders/${sender!.id};`,
      ),
    ]);
    const [line, ...others] = await warnings({ apiKey: 'another-key-that-comes-too-late', fromEnvironment });
    expect(others).toEqual([]);
    expect(line).toMatch(
      /^PLATFORM_PHONE_NUMBER_ID, PLATFORM_ACCESS_TOKEN, BOOTSTRAP_API_KEY: .*POST \/accounts\/.*api-keys/,
    );
    expect(line).not.toMatch(/too-late|own\b/);
  });

  it('prevents the start if its plan is not in the plans file', async () => {
    await start();
    await expect(start({}, undefined, { Other: ENTERPRISE.Enterprise } as never)).rejects.toThrow(
      /Enterprise.*PLANS_FILE/,
    );
  });

  it('prevents the start if stored secrets cannot be decrypted', async () => {
    await start();
    const { id } = (await accounts.first())!;
    const otherBox = new SecretBox(randomBytes(32));
    await new TypeOrmAccountStore(database, otherBox, new PlatformCredentials('t', 's')).change(id, {
      sender: { accessToken: 'x' },
    });
    await expect(start()).rejects.toThrow(/ENCRYPTION_KEY/);
  });
});
