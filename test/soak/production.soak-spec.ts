import { Platform } from '../support/process/platform';
import { newRandom, pause } from '../kill/processes';
import { Blows, LONGEST_LINK_FAULT_MS, USUAL } from '../kill/support/blows';
import { Deployment } from '../kill/support/deployment';
import { DeliveredEvents } from '../kill/support/delivered-events';
import { messageOf, Whole } from '../kill/support/whole';
import { UNANSWERED_PER_JOB, Workload } from '../kill/support/workload';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 20);
const MOST_MINUTES = 60;
const ACCOUNTS = 3;
const RECIPIENTS = 400;
/** Each account always has a job that runs and one that takes turns with it. */
const JOBS_AT_ONCE = 2 * ACCOUNTS;
/** Starting, ending all jobs, and comparing everything. */
const MOST_AROUND_MS = 900_000;
const ENV = { PLATFORM_TIMEOUT_SECONDS: '3', UNKNOWN_GRACE_SECONDS: '3', WEBHOOK_ALLOW_PRIVATE: 'true' };

describe(`The service in production for ${MINUTES} minutes, where everything is killed at random moments`, () => {
  let platform: Platform;
  let deployment: Deployment | undefined;
  let blows: Blows | undefined;
  let events: DeliveredEvents | undefined;

  beforeAll(() => {
    if (!(MINUTES > 0 && MINUTES <= MOST_MINUTES)) {
      throw new Error(`SOAK_MINUTES is ${MINUTES}: it must be above 0, at most ${MOST_MINUTES}`);
    }
  });

  afterEach(async () => {
    await blows?.settled();
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
    'sends to nobody twice, loses nobody, ends every job, delivers every event and answers nobody 500',
    async () => {
      const random = newRandom('soak');
      platform = await Platform.spawn({ autoCreateSenders: true });
      deployment = await Deployment.start({ platform, env: ENV, reports: true, ownLinks: true });
      blows = new Blows(deployment, platform, random);
      const keys = await deployment.keys(ACCOUNTS - 1);
      for (const key of keys) await deployment.reported(key);
      const before = (await platform.ledger()).length;
      events = new DeliveredEvents(deployment, random);
      await events.begin(keys);
      const work = new Workload(() => deployment!.client(), keys, RECIPIENTS);
      await work.makeGroups();
      await platform.configure(USUAL);
      work.beginSingles();

      const struck: Record<string, number> = {};
      let begun = 0;
      const endAt = Date.now() + MINUTES * 60_000;
      let deck = blows.deck();
      while (Date.now() < endAt) {
        // While PostgreSQL is away nobody knows how many there are.
        const unfinished = await unfinishedJobs().catch(() => JOBS_AT_ONCE);
        const room = JOBS_AT_ONCE - unfinished - (begun - work.jobs.length);
        for (let n = 0; n < room; n++, begun++) work.beginJob(begun % 4 === 3 ? 'group' : 'list', begun % ACCOUNTS);
        await pause(blows.between(500, 4000));
        if (deck.length === 0) deck = blows.deck();
        const blow = deck.pop()!;
        await blows.strike(blow);
        struck[blow] = (struck[blow] ?? 0) + 1;
      }
      await blows.recovered();
      await work.taken();

      const whole = new Whole(deployment, platform);
      await whole.ended(work.jobs);
      await whole.expectProved();
      const unknown = (await whole.expectJobs(work.jobs)) + (await whole.expectSingles(work.singles));
      const most = (await blows.mostUnknown()) + work.jobs.length * UNANSWERED_PER_JOB;
      const { accepted } = await platform.stats();
      const sent = (await platform.ledger()).slice(before).map(messageOf);
      const delivered = await events.expectAll(sent);
      process.stdout.write(
        `${JSON.stringify(struck)}: ${work.jobs.length} jobs, ${work.singles.length} single sends, `,
      );
      process.stdout.write(
        `${accepted} messages accepted; ${unknown} unknown, at most ${most}, none of them accepted; ${delivered}\n`,
      );
      expect(unknown).toBeLessThanOrEqual(most);
      whole.expectClearAnswers(work.singles, LONGEST_LINK_FAULT_MS);
      whole.expectNoneFailed();
    },
    MINUTES * 60_000 + MOST_AROUND_MS,
  );
});
