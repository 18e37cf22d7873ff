import { doubled, phones, sendTo } from '../support/process/bulk';
import { Platform } from '../support/process/platform';
import { until } from '../support/process/service';
import { Deployment } from './support/deployment';

const SENDERS = 18;
/** The share of each of three workers is six. */
const MOST_LANES = 8;
const PACE = 3;
/** Enough to keep every sender busy until the end, even on a slow machine. */
const RECIPIENTS = 600;

describe('The lanes of 18 busy senders on three workers', () => {
  let platform: Platform;
  let deployment: Deployment | undefined;

  beforeAll(async () => {
    platform = await Platform.spawn({ autoCreateSenders: true });
    deployment = await Deployment.start({ platform, env: { MESSAGES_PER_SECOND: String(PACE) } });
  });

  afterAll(async () => {
    await deployment?.close();
    await platform.close();
  });

  /** Number of lanes per worker, highest first. */
  async function spread(): Promise<number[]> {
    const rows = await deployment!.postgres.rows<{ lanes: number }>(
      `SELECT count(*)::int AS lanes FROM sender_lanes WHERE lease_until > clock_timestamp() GROUP BY owner ORDER BY 1 DESC`,
    );
    return rows.map(({ lanes }) => lanes);
  }

  async function expectSpread(): Promise<void> {
    const isSpread = async () => {
      const lanes = await spread();
      return lanes.reduce((sum, count) => sum + count, 0) === SENDERS && lanes[0]! <= MOST_LANES;
    };
    await until(isSpread, 30_000, `every sender has an owner, and no worker more than ${MOST_LANES}`);
  }

  it('no worker has more than 8 after a rolling restart, which leaves nothing unknown', async () => {
    const { workers, postgres } = deployment!;
    const keys = await deployment!.keys(SENDERS - 1, PACE);
    for (const [n, key] of keys.entries()) {
      await sendTo(deployment!.client(), phones(RECIPIENTS, n * RECIPIENTS), {}, key);
    }
    await expectSpread();
    for (const worker of workers) {
      expect(await worker.stop()).toBe(0);
      await worker.start();
    }
    const restarted = await spread();
    await expectSpread();
    process.stdout.write(`lanes of each worker: ${restarted.join()} immediately, then ${(await spread()).join()}\n`);
    expect(await postgres.rows(`SELECT 1 FROM job_recipients WHERE outcome = 'Unknown'`)).toEqual([]);
    expect(await postgres.rows('SELECT 1 FROM bulk_jobs WHERE completed_at IS NOT NULL')).toEqual([]);
    expect(doubled((await platform.ledger()).map(({ to }) => to))).toEqual([]);
  });
});
