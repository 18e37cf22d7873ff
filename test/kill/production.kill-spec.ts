import { Platform } from '../support/process/platform';
import { repetitions } from '../support/repetitions';
import { pause, newRandom } from './processes';
import { FaultInjector, USUAL } from './support/fault-injector';
import { Deployment } from './support/deployment';
import { ConsistencyCheck } from './support/consistency';
import { UNANSWERED_PER_JOB, Workload } from './support/workload';

const ACCOUNTS = 3;
const RECIPIENTS = 400;
/** Of the 24 of a deck, which is in random order. */
const FAULTS = repetitions(12, 24);
const ENV = { PLATFORM_TIMEOUT_SECONDS: '3', UNKNOWN_GRACE_SECONDS: '3' };

describe('The service in production, with components killed at random moments', () => {
  let platform: Platform;
  let deployment: Deployment;
  let faults: FaultInjector;

  beforeEach(async () => {
    platform = await Platform.spawn({ autoCreateSenders: true });
  });

  afterEach(async () => {
    await faults?.settled();
    await deployment?.close();
    await platform.close();
  });

  /** Sends lists, group sends and single messages while components fail one after the other; returns what was sent, once all are back. */
  async function endure(prepare: (key: string) => Promise<void> = async () => {}): Promise<Workload> {
    const keys = await deployment.keys(ACCOUNTS - 1);
    for (const key of keys) await prepare(key);
    const work = new Workload(() => deployment.client(), keys, RECIPIENTS);
    await work.makeGroups();
    await platform.configure(USUAL);
    work.beginSingles();
    for (const account of keys.keys()) work.beginJob('list', account);
    for (const [n, fault] of faults.deck().slice(0, FAULTS).entries()) {
      if (n % 2 === 0) work.beginJob(n % 4 === 0 ? 'group' : 'list', (n / 2) % ACCOUNTS);
      await pause(faults.between(200, 2500));
      await faults.inject(fault);
    }
    await faults.recovered();
    await work.taken();
    return work;
  }

  it('sends nothing twice and loses nothing; only messages in flight at a kill become unknown', async () => {
    deployment = await Deployment.start({ platform, env: ENV });
    faults = new FaultInjector(deployment, platform, newRandom('without reports'));
    const work = await endure();
    const consistency = new ConsistencyCheck(deployment, platform);
    await consistency.ended(work.jobs);
    const unknown = (await consistency.expectJobs(work.jobs)) + (await consistency.expectSingles(work.singles));
    const most = (await faults.maxUnknown()) + work.jobs.length * UNANSWERED_PER_JOB;
    process.stdout.write(`${faults.kills} kills, ${work.jobs.length} jobs, ${work.singles.length} single sends: `);
    process.stdout.write(`${unknown} unknown, at most ${most}\n`);
    expect(unknown).toBeLessThanOrEqual(most);
    consistency.expectClearAnswers(work.singles);
    consistency.expectNoneFailed();
  });

  it("learns from the platform's reports about every accepted message", async () => {
    deployment = await Deployment.start({ platform, env: ENV, reports: true });
    faults = new FaultInjector(deployment, platform, newRandom('with reports'));
    const work = await endure((key) => deployment.reported(key));
    const consistency = new ConsistencyCheck(deployment, platform);
    await consistency.ended(work.jobs);
    await consistency.expectProved();
    const unknown = (await consistency.expectJobs(work.jobs)) + (await consistency.expectSingles(work.singles));
    process.stdout.write(`${faults.kills} kills, ${work.jobs.length} jobs, ${work.singles.length} single sends: `);
    process.stdout.write(`${unknown} unknown, none of them accepted\n`);
    consistency.expectClearAnswers(work.singles);
    consistency.expectNoneFailed();
  });
});
