import { Platform } from '../support/process/platform';
import { newRandom, pause } from '../kill/processes';
import { FaultInjector, LONGEST_LINK_FAULT_MS, USUAL } from '../kill/support/fault-injector';
import { Deployment } from '../kill/support/deployment';
import { DeliveredEvents } from '../kill/support/delivered-events';
import { messageOf, ConsistencyCheck } from '../kill/support/consistency';
import { UNANSWERED_PER_JOB, Workload } from '../kill/support/workload';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 20);
const MOST_MINUTES = 60;
const ACCOUNTS = 3;
const RECIPIENTS = 400;
/** Each account always has a running job and one that takes turns with it. */
const JOBS_AT_ONCE = 2 * ACCOUNTS;
/** Time to start, to end all jobs, and to compare everything. */
const MOST_AROUND_MS = 900_000;
const ENV = { PLATFORM_TIMEOUT_SECONDS: '3', UNKNOWN_GRACE_SECONDS: '3', WEBHOOK_ALLOW_PRIVATE: 'true' };

describe(`The service in production for ${MINUTES} minutes, with components killed at random moments`, () => {
  let platform: Platform;
  let deployment: Deployment | undefined;
  let faults: FaultInjector | undefined;
  let events: DeliveredEvents | undefined;

  beforeAll(() => {
    if (!(MINUTES > 0 && MINUTES <= MOST_MINUTES)) {
      throw new Error(`SOAK_MINUTES is ${MINUTES}: it must be above 0, at most ${MOST_MINUTES}`);
    }
  });

  afterEach(async () => {
    await faults?.settled();
    await deployment?.close();
    await events?.close();
    await platform?.close();
  }, MOST_AROUND_MS);

  async function unfinishedJobs(): Promise<number> {
    const unfinished = 'SELECT count(*)::int AS jobs FROM bulk_jobs WHERE completed_at IS NULL';
    const [row] = await deployment!.postgres.rows<{ jobs: number }>(unfinished);
    return row!.jobs;
  }

  it(
    'sends nothing twice, loses nothing, ends every job, delivers every event and never answers 500',
    async () => {
      const random = newRandom('soak');
      platform = await Platform.spawn({ autoCreateSenders: true });
      deployment = await Deployment.start({ platform, env: ENV, reports: true, ownLinks: true });
      faults = new FaultInjector(deployment, platform, random);
      const keys = await deployment.keys(ACCOUNTS - 1);
      for (const key of keys) await deployment.reported(key);
      const before = (await platform.ledger()).length;
      events = new DeliveredEvents(deployment, random);
      await events.begin(keys);
      const work = new Workload(() => deployment!.client(), keys, RECIPIENTS);
      await work.makeGroups();
      await platform.configure(USUAL);
      work.beginSingles();

      const injected: Record<string, number> = {};
      let begun = 0;
      const endAt = Date.now() + MINUTES * 60_000;
      let deck = faults.deck();
      while (Date.now() < endAt) {
        // While PostgreSQL is down their number is unknown.
        const unfinished = await unfinishedJobs().catch(() => JOBS_AT_ONCE);
        const room = JOBS_AT_ONCE - unfinished - (begun - work.jobs.length);
        for (let n = 0; n < room; n++, begun++) work.beginJob(begun % 4 === 3 ? 'group' : 'list', begun % ACCOUNTS);
        await pause(faults.between(500, 4000));
        if (deck.length === 0) deck = faults.deck();
        const fault = deck.pop()!;
        await faults.inject(fault);
        injected[fault] = (injected[fault] ?? 0) + 1;
      }
      await faults.recovered();
      await work.taken();

      const consistency = new ConsistencyCheck(deployment, platform);
      await consistency.ended(work.jobs);
      await consistency.expectProved();
      const unknown = (await consistency.expectJobs(work.jobs)) + (await consistency.expectSingles(work.singles));
      const most = (await faults.maxUnknown()) + work.jobs.length * UNANSWERED_PER_JOB;
      const { accepted } = await platform.stats();
      const sent = (await platform.ledger()).slice(before).map(messageOf);
      const delivered = await events.expectAll(sent);
      process.stdout.write(
        `${JSON.stringify(injected)}: ${work.jobs.length} jobs, ${work.singles.length} single sends, `,
      );
      process.stdout.write(
        `${accepted} messages accepted; ${unknown} unknown, at most ${most}, none of them accepted; ${delivered}\n`,
      );
      expect(unknown).toBeLessThanOrEqual(most);
      consistency.expectClearAnswers(work.singles, LONGEST_LINK_FAULT_MS);
      consistency.expectNoneFailed();
    },
    MINUTES * 60_000 + MOST_AROUND_MS,
  );
});
