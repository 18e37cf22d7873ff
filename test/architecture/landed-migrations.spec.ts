import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from '../../src/infra/database/migrations';
import { ROOT } from './cruise';
import { statementsOf } from './migration-statements';

/**
 * SHA-256 of the statements of each landed migration, without comments and white space. A landed migration has run on
 * databases that exist: never change its checksum, add a migration. A new migration adds its own line here.
 */
const LANDED: Record<string, string> = {
  Initial1790000000001: '55478f750ad4fbf9237cbb2d1b2fa832d514ac23eedde14bc2165c6daf1625d6',
  AccountsConfiguredLimits1790000000002: 'a277bd992ca38b92093b16bc49d6cf5a31d84df02ba623b4fd11433caa89ccaf',
  DeliveryWorkers1790000000003: 'd6e24ba103d6f4a346cec7c54b3185b95e2978335e4a138712c40dae3c08f268',
  JobsAtRest1790000000004: 'e0d96454a70142f3254b9a0e9758e4626e5c2b5b853dbe8b9f6571bd5e2975ca',
  DatabaseIdentity1790000000005: '791b4eeb37a988a56ac172a9aeff795087e8bc2c5d30802ecdf2cb55b4bef76a',
  SendingHeldSends1790000000006: 'f5566aa33a85e60e1b95e05465be4a60a58fb80a981e089d0ca4e0389405d370',
  PlatformWebhookSubscriptions1790000000007: '9ae0cfa6a49b4c38dab16a0280cd117a6da6f1ba50d433003a56d487ea8b0408',
  BulkJobsPauseCodes1790000000008: 'f6f292713927f5390aa9f3a164ca9f3d14acc96a314dade74e415990be965a02',
  AccountsSenderTraffic1790000000009: 'd74098f7838dbd6084d08fda2eb92350e84980d37c488e3fd3e56fbcd3428086',
  AccountsKeyOverlap1790000000010: 'f70e00c17ff335efdfaa8f0a8a6212c4500645f92b461db0efd33a1284008197',
  AccountsAuditLog1790000000011: 'a1e3529504854e57fe36e2eba1dfc473998ae4066a8f32840e413eb7a687630a',
  MessagesUndelivered1790000000012: 'd71dca297f1176347da3ca9243740dac8fd7b2ad8f27ff749e24dce59b4b30b4',
  ChatHistoryUnread1790000000016: 'b70332a3bf1e36687efe11f125fe5ac2787ad91a461515da79f47d3e3699be12',
  AccountsAuditWithoutKey1790000000019: '9ee1f04a8d7505e6d1f676db54a2d435ef593867b9b4f3b2fa974d3e98bcecf2',
  EventsWebhooks1790000000024: '0aaf8c101c9ebf5831b2a986031f91513a45f941e731b2ba413340c8d738dcb3',
  BulkJobsEvents1790000000025: '310fc761346d729a213674039934eda0366ab382705f92cfb32d89fdb6f8bdb2',
  MessagesFailedOfJobs1790000000027: '31b9ea5fd5b33aa36a18dcd66f8bf8e0f258fac8428e2a97b67d8df4b0914145',
  IdempotencyAnswers1790000000030: 'ada20087a5f78250a5a20a36292090dd8b5f6667176ac4be747ff6dca407a548',
  BulkJobsUploads1790000000031: 'b0e6a3393a2a352d1ee90f2aabd6c9883b5824b64e0925cb84cb8bad19f6245a',
  AccountsMarketingMessages1790000000028: '8114a51e16e3545b9093631beb880ce32dda16601e389ae62bb26e90baa9ef38',
  MessagesAcceptancePricing1790000000029: 'f07d794c9290337062bd3cd1faebdc46e20820cf0340fc840410a40b6ed2a26b',
  DeliveryActivity1790000000038: '376d837d77ed1366aa2fc3027d4423f0c7a702b75ccd1ce848f265c8486657af',
  AccountsConsoleSessions1790000000039: 'a0d0fb3efc882f2ef2408d1bf50c7d7cfac8af0474f7bde9bebbc36ecb6ee19a',
  BulkJobsWindowed1790000000040: 'be909555c6662b2ed19afb398a63c19cab6b7f63699a80ec2ac400feb6c861c0',
  BulkJobsLaneWaits1790000000041: 'a35c5332b07bf917b0cb1054e6bfe7f42726ad26df686fcdd54baf5e217579c3',
  DatabaseSynchronousStandby1790000000064: 'e3c925a8fd4cb2c77efe2d094c1fe4f7701019c1d72680d0ef330934451141d4',
  DatabaseEventsAfterRestore1790000000065: '07d24ad93042bd70852d7157a65782d91a1746704c758a539004ab9404b44555',
  BulkJobsClosedAtRest1790000000066: '0340ef85002cbd9e6d3f12a5583bbf8507c34395ed9a78fcff17ce7376999b31',
  DeliveryActivityNeverTried1790000000042: '845d989e8f39a043cb2592be7bdb5f9358c2159fc87296660cb40d4b6478f57c',
  EventsReplays1790000000053: '7e69f9e6532c9d8bd6a6ceedb0c848ed41493d4cbbba13ed1abd357e7f0771eb',
  EventsOutboxIndexes1790000000054: '798a985237a153cee5b600fd2e8a08c9eb2ad90c9e45a041e07becd4ffe648aa',
  EventsOutboxWrite1790000000032: '30840d8488ff1114188d1c5c9dd65aa2263dbfac5996aeb7a7cdc646356f265c',
  EventsSingleBodies1790000000033: '35b2dc695585cb52ef6197bc5b0a6f9b537e76baafb5af7758c17ddb409795b7',
  BulkJobsWindowWaits1790000000034: '474fcf7c05b54cab6579833bcb76f2682dce2ea02b2cc24cd87684939d7a8cf2',
  BulkJobsSchedule1790000000035: '447f69ccae6666f51ef11ba01b974fa3c45cb82f45eff528be7a9a6506481afe',
  GroupsUsernames1790000000036: 'c63039b5c2467fc2503f99460d98ba3e368b324c70c3231bf1c2ff1cdb3f21ba',
  ChatHistoryJoined1790000000037: 'dd3c6c7d1da47fbeb6068fd8fd21d327680513f70baa743f166d9898512b5e9f',
  BulkJobsWindowJudge1790000000068: 'd0fb74ccb20453e175c237fcf49bf8cb3bb11e37cf1d15c754a0834b8d3833e5',
  DeliveryActivityLateChanges1790000000069: '63f18508abfee054a8f44c0995e2ea1ca354b4640257fc091c216c21faa2e14a',
  BulkJobsChangedAt1790000000070: 'a77040b44a328bad850e23cbb1da2cf78b7db3b5d195e07860ef470a719d87d4',
  BulkJobsActingKeys1790000000077: 'a16c8909a59f908860c8a789cc2438b2537d600206753654312ccada13380a06',
  SendingActingKeys1790000000078: '13143eed9666a72002ebc5ede8b795b5c4ae7a184e51be7bb42d10b973e64d5d',
  GroupsCanonicalNumbers1790000000059: '55739eec9d60bd6af71417d75433ba37086599d944abeb3783537d6a8cb891a0',
};

/** The first migration makes partitions for the current month and the next ones: here for this one. */
const NOW = new Date('2026-01-15T12:00:00Z');

async function checksumOf(Migration: (typeof MIGRATIONS)[number]): Promise<string> {
  const statements = await statementsOf(Migration);
  return createHash('sha256')
    .update(`${statements.join('\n')}\n`)
    .digest('hex');
}

describe('Migrations', () => {
  beforeAll(() => jest.useFakeTimers({ now: NOW }));
  afterAll(() => jest.useRealTimers());

  it('have the statements that they landed with', async () => {
    const checksums = await Promise.all(
      MIGRATIONS.map(async (migration) => [migration.name, await checksumOf(migration)] as const),
    );
    expect(Object.fromEntries(checksums)).toEqual(LANDED);
  });

  it('are listed in the order of their numbers, each under the name of its file', () => {
    const folder = join(ROOT, 'src/infra/database/migrations');
    const files = readdirSync(folder).filter((file) => !file.endsWith('.sql.ts'));
    const named = files.sort().map((file) => {
      const [, number, words] = /^(\d{4})-([a-z0-9-]+)\.ts$/.exec(file)!;
      const name = words!.replaceAll(/(?:^|-)(\w)/g, (_dash, letter: string) => letter.toUpperCase());
      return `${name}${1_790_000_000_000 + Number(number)}`;
    });
    expect(MIGRATIONS.map((migration) => migration.name)).toEqual(named);
  });
});
