import { Platform } from '../support/process/platform';
import { pause, newRandom } from './processes';
import { Blows, USUAL } from './support/blows';
import { Deployment } from './support/deployment';
import { Whole } from './support/whole';
import { UNANSWERED_PER_JOB, Workload } from './support/workload';

const ACCOUNTS = 3;
const RECIPIENTS = 400;
const ENV = { PLATFORM_TIMEOUT_SECONDS: '3', UNKNOWN_GRACE_SECONDS: '3' };

describe('The service in production, where everything is killed at random moments', () => {
  let platform: Platform;
  let deployment: Deployment;
  let blows: Blows;

  beforeEach(async () => {
    platform = await Platform.spawn({ autoCreateSenders: true });
  });

  afterEach(async () => {
    await blows?.settled();
    await deployment?.close();
    await platform.close();
  });

  /** Sends lists, to groups and single messages while one thing after the other is struck; what was sent, when all is back. */
  async function endure(prepare: (key: string) => Promise<void> = async () => {}): Promise<Workload> {
    const keys = await deployment.keys(ACCOUNTS - 1);
    for (const key of keys) await prepare(key);
    const work = new Workload(() => deployment.client(), keys, RECIPIENTS);
    await work.makeGroups();
    await platform.configure(USUAL);
    work.beginSingles();
    for (const account of keys.keys()) work.beginJob('list', account);
    for (const [n, blow] of blows.deck().entries()) {
      if (n % 2 === 0) work.beginJob(n % 4 === 0 ? 'group' : 'list', (n / 2) % ACCOUNTS);
      await pause(blows.between(200, 2500));
      await blows.strike(blow);
    }
    await blows.recovered();
    await work.taken();
    return work;
  }

  it('sends nothing twice and loses nothing; only messages in flight at a kill become unknown', async () => {
    deployment = await Deployment.start({ platform, env: ENV });
    blows = new Blows(deployment, platform, newRandom('without reports'));
    const work = await endure();
    const whole = new Whole(deployment, platform);
    await whole.ended(work.jobs);
    const unknown = (await whole.expectJobs(work.jobs)) + (await whole.expectSingles(work.singles));
    const most = (await blows.mostUnknown()) + work.jobs.length * UNANSWERED_PER_JOB;
    process.stdout.write(`${blows.kills} kills, ${work.jobs.length} jobs, ${work.singles.length} single sends: `);
    process.stdout.write(`${unknown} unknown, at most ${most}\n`);
    expect(unknown).toBeLessThanOrEqual(most);
    whole.expectClearAnswers(work.singles);
    whole.expectNoneFailed();
  });

  it('learns from the reports of the platform of everything that it accepted', async () => {
    deployment = await Deployment.start({ platform, env: ENV, reports: true });
    blows = new Blows(deployment, platform, newRandom('with reports'));
    const work = await endure((key) => deployment.reported(key));
    const whole = new Whole(deployment, platform);
    await whole.ended(work.jobs);
    await whole.expectProved();
    const unknown = (await whole.expectJobs(work.jobs)) + (await whole.expectSingles(work.singles));
    process.stdout.write(`${blows.kills} kills, ${work.jobs.length} jobs, ${work.singles.length} single sends: `);
    process.stdout.write(`${unknown} unknown, none of them accepted\n`);
    whole.expectClearAnswers(work.singles);
    whole.expectNoneFailed();
  });
});
