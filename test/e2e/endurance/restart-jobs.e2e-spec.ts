import type { BulkJobDetailDto, JobRecipientDto } from '../../../libs/client/generated/types.gen';
import {
  control,
  doubled,
  ended,
  newPhones,
  progressOf,
  recipientsOf,
  sendTo,
  settled,
} from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { Platform } from '../../support/process/platform';
import { newStore, type Service, startService, type Store, until } from '../../support/process/service';

// Measures wall time: other load can only disturb a run, so one undisturbed run is sufficient.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

const PACE = 200;
/** More than is ever in flight at this pace and latency. */
const MOST_FLIGHTS = 256;
const isSent = ({ status }: JobRecipientDto) => ['Sent', 'Delivered', 'Read'].includes(status);

describe('A service that stops in the middle of its work', () => {
  let platform: Platform;
  let store: Store;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start({ latencyMs: 150 });
    store = await newStore();
    await start();
  });

  afterAll(async () => {
    await service?.stop();
    await store?.drop();
    await platform?.close();
  });

  beforeEach(async () => {
    // A failed attempt of the test may have left it stopped.
    const isThere = await fetch(`${service.url}/health/live`).then(
      () => true,
      () => false,
    );
    if (!isThere) await start();
  });

  const options = () => ({
    store,
    platformUrl: platform.url,
    env: { MESSAGES_PER_SECOND: String(PACE), PLATFORM_TIMEOUT_SECONDS: '2', UNKNOWN_GRACE_SECONDS: '3' },
  });

  async function start(): Promise<void> {
    service = await startService(options());
    client = new Client(service);
  }

  const fresh = newPhones();
  const acceptedOf = async (jobId: string) =>
    (await platform.ledger()).filter(({ callbackData }) => callbackData.includes(jobId)).map(({ to }) => to);

  /** Job, rows and platform agree; no one got a message twice. */
  async function expectConsistent(
    job: BulkJobDetailDto,
    numbers: readonly string[],
    mostUnknown: number,
  ): Promise<void> {
    const accepted = await acceptedOf(job.jobId);
    const recipients = await recipientsOf(client, job.jobId);
    expect(doubled(accepted)).toEqual([]);
    const arrived = new Set(accepted);
    const unknown = recipients.filter(({ status }) => status === 'Unknown');
    expect(unknown.length).toBeLessThanOrEqual(mostUnknown);
    expect(recipients.filter((recipient) => isSent(recipient) && !arrived.has(recipient.phone!))).toEqual([]);
    expect(recipients.filter((recipient) => !isSent(recipient) && recipient.status !== 'Unknown')).toEqual([]);
    expect(recipients.map((recipient) => recipient.phone)).toEqual(numbers);
    expect(job).toMatchObject({
      status: 'Completed',
      progressPercentage: 100,
      successfullySent: numbers.length - unknown.length,
      failed: unknown.length,
      unknown: unknown.length,
    });
  }

  it('after a power cut continues within 10 s of its next start, sends nothing twice and loses no one', async () => {
    const numbers = fresh(1200);
    const jobId = await sendTo(client, numbers);
    await settled(client, jobId, 300);
    await service.kill();
    const settledBefore = (await acceptedOf(jobId)).length;
    await start();
    await until(async () => (await acceptedOf(jobId)).length > settledBefore, 10_000, 'the job continues');
    await expectConsistent(await ended(client, jobId), numbers, MOST_FLIGHTS);
  });

  it('after a power cut right after its response has the whole job', async () => {
    const jobs: { jobId: string; numbers: string[] }[] = [];
    for (let cut = 0; cut < 3; cut++) {
      const numbers = fresh(150);
      jobs.push({ jobId: await sendTo(client, numbers), numbers });
      await service.kill();
      await start();
    }
    for (const { jobId, numbers } of jobs) {
      const job = await ended(client, jobId);
      expect(job.totalRecipients).toBe(150);
      await expectConsistent(job, numbers, MOST_FLIGHTS);
    }
  });

  it('on SIGTERM waits for requests in flight: nothing stays unknown, and the next start finishes the job', async () => {
    const numbers = fresh(600);
    const jobId = await sendTo(client, numbers);
    await settled(client, jobId, 100);
    const stopped = service.stop();
    // Like npm, which forwards a signal that the service has already received.
    setTimeout(() => process.kill(service.pid, 'SIGTERM'), 10);
    expect(await stopped).toBe(0);
    expect(service.log.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
    const before = await acceptedOf(jobId);
    expect(before.length).toBeLessThan(600);
    await start();
    const { successfullySent, failed } = await progressOf(client, jobId);
    expect(successfullySent).toBeGreaterThanOrEqual(before.length);
    expect(failed).toBe(0);
    await expectConsistent(await ended(client, jobId), numbers, 0);
  });

  it('keeps a paused job paused, and a cancelled one cancelled', async () => {
    const [paused, cancelled] = [fresh(400), fresh(400)];
    const pausedId = await sendTo(client, paused);
    const cancelledId = await sendTo(client, cancelled);
    await settled(client, pausedId, 20);
    await control(client, 'pause', pausedId);
    await control(client, 'cancel', cancelledId);
    await service.kill();
    await start();
    const job = await ended(client, cancelledId);
    expect(job).toMatchObject({ status: 'Cancelled', totalRecipients: 400 });
    expect(job.successfullySent + job.failed).toBe(400);
    const arrived = (await acceptedOf(pausedId)).length;
    expect((await progressOf(client, pausedId)).status).toBe('Paused');
    await control(client, 'resume', pausedId);
    await expectConsistent(await ended(client, pausedId), paused, MOST_FLIGHTS);
    expect((await acceptedOf(pausedId)).length).toBeGreaterThan(arrived);
  });
});
