import { doubled, ended, newPhones, recipientsOf, sendTo, settled } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { until } from '../support/process/service';
import { pause } from './processes';
import { Deployment } from './support/deployment';

const WITHIN_MS = 2000;
const ENV = { PLATFORM_TIMEOUT_SECONDS: '3', UNKNOWN_GRACE_SECONDS: '3' };

describe('Two APIs and two workers', () => {
  let platform: Platform;
  let deployment: Deployment | undefined;
  let first: Client;
  let second: Client;

  beforeAll(async () => {
    platform = await Platform.spawn({ latencyMs: 100 });
    deployment = await Deployment.start({ platform, apis: 2, workers: 2, env: ENV, withoutRedis: true });
    first = deployment.client(0);
    second = deployment.client(1);
  });

  afterAll(async () => {
    await deployment?.close();
    await platform.close();
  });

  const fresh = newPhones();
  const jobOf = async (id: string) => (await platform.ledger()).filter(({ callbackData }) => callbackData.includes(id));

  async function readiness(): Promise<{ status: number; degraded: boolean; redis: unknown }[]> {
    return Promise.all(
      deployment!.all.map(async ({ running }) => {
        const answer = await fetch(`${running.url}/health/ready`);
        const { degraded, checks } = (await answer.json()) as { degraded: boolean; checks: { name: string }[] };
        return { status: answer.status, degraded, redis: checks.find(({ name }) => name === 'redis') };
      }),
    );
  }

  async function expectComplete(jobId: string, numbers: string[]): Promise<void> {
    expect(await ended(first, jobId, 60_000)).toMatchObject({
      status: 'Completed',
      successfullySent: numbers.length,
      unknown: 0,
    });
    const accepted = (await jobOf(jobId)).map(({ to }) => to);
    expect(accepted.sort()).toEqual(numbers.sort());
  }

  it('work without Redis from the start, and report what is missing', async () => {
    const redis = { name: 'redis', ok: false, required: false, reason: expect.any(String) };
    expect(await readiness()).toEqual(Array(4).fill({ status: 200, degraded: true, redis }));
    const begun = performance.now();
    const single = await first.post('/send-template', { to: fresh(1)[0], templateName: 'hello_world' });
    expect(performance.now() - begun).toBeLessThan(5000);
    expect([201, 202]).toContain(single.status);
    const numbers = fresh(120);
    await expectComplete(await sendTo(first, numbers), numbers);
    const { messageId } = single.body;
    const arrived = async () =>
      (await platform.ledger()).some(({ callbackData }) => callbackData.startsWith(messageId));
    await until(arrived, 10_000, 'the single message arrives');
  });

  it('share Redis as soon as it is available', async () => {
    await deployment!.redis.start();
    const isShared = async () => (await readiness()).every(({ degraded }) => !degraded);
    await until(isShared, 10_000, 'no process misses Redis');
  });

  it('lose nothing when Redis loses all data during a job', async () => {
    const numbers = fresh(400);
    const jobId = await sendTo(first, numbers);
    await settled(first, jobId, 50);
    for (let n = 0; n < 20; n++) {
      await deployment!.redis.flush();
      await pause(150);
    }
    await expectComplete(jobId, numbers);
  });

  it('continue when Redis is killed during a job and restarts empty', async () => {
    const numbers = fresh(400);
    const jobId = await sendTo(first, numbers);
    await settled(first, jobId, 50);
    await deployment!.redis.kill();
    const before = (await jobOf(jobId)).length;
    await until(async () => (await jobOf(jobId)).length > before + 50, 10_000, 'the job continues without Redis');
    await deployment!.redis.start();
    await expectComplete(jobId, numbers);
  });

  it('answer and continue while Redis hangs', async () => {
    const numbers = fresh(300);
    const jobId = await sendTo(first, numbers);
    await settled(first, jobId, 30);
    deployment!.redis.suspend();
    const answers: { status: number; ms: number }[] = [];
    const before = (await jobOf(jobId)).length;
    for (const to of fresh(10)) {
      const begun = performance.now();
      const { status } = await second.post('/send-template', { to, templateName: 'hello_world' });
      answers.push({ status, ms: performance.now() - begun });
    }
    await until(async () => (await jobOf(jobId)).length > before + 30, 10_000, 'the job continues');
    deployment!.redis.resume();
    expect(answers.filter(({ status, ms }) => ![201, 202].includes(status) || ms > 5000)).toEqual([]);
    await expectComplete(jobId, numbers);
  });

  it('refuse a key within 2 s of its revocation at the other API', async () => {
    const { body } = await first.post('/api-keys', { name: 'to be revoked', scopes: ['templates:read'] });
    const call = () => second.get('/templates', { key: body.key as string });
    await until(async () => (await call()).status === 200, 5000, 'the key works at the other API');
    expect((await first.call('DELETE', `/api-keys/${body.id}`)).status).toBe(204);
    const revokedAt = performance.now();
    let lastAccepted = revokedAt;
    for (let status = 200; status !== 401; await pause(10)) {
      const begun = performance.now();
      ({ status } = await call());
      if (status === 200) lastAccepted = begun;
      expect(begun - revokedAt).toBeLessThan(10_000);
    }
    process.stdout.write(`a revoked key was last accepted after ${Math.round(lastAccepted - revokedAt)} ms\n`);
    expect(lastAccepted - revokedAt).toBeLessThanOrEqual(WITHIN_MS);
  });

  it('stop sending within 2 s of the emergency stop at the other API', async () => {
    const me = await first.get('/me');
    const accountId = me.body.account.id as string;
    const numbers = fresh(500);
    const jobId = await sendTo(second, numbers);
    await settled(second, jobId, 50);
    const send = () => second.post('/send-template', { to: fresh(1)[0], templateName: 'hello_world' });
    await until(async () => (await send()).status === 201, 5000, 'single messages are sent');
    const pausing = await first.call('PATCH', `/accounts/${accountId}`, { body: { sendingPaused: true } });
    expect(pausing.status).toBe(200);
    const pausedAt = Date.now();
    while (Date.now() < pausedAt + 4000) {
      await send();
      await pause(50);
    }
    expect(await send()).toMatchObject({ status: 503, body: { code: 'sending_paused' } });
    const last = Math.max(...(await platform.ledger()).map(({ at }) => Date.parse(at)));
    process.stdout.write(`the last message was sent ${last - pausedAt} ms after the emergency stop\n`);
    expect(last - pausedAt).toBeLessThanOrEqual(WITHIN_MS);
    await first.call('PATCH', `/accounts/${accountId}`, { body: { sendingPaused: false } });
    await expectComplete(jobId, numbers);
  });

  it('never retry an unanswered acceptance, even of a duplicate in the list', async () => {
    const unanswered = ['491630000005', '491630010005', '491630000006', '491630010006'];
    const plain = fresh(200);
    const numbers = [...plain, ...unanswered, ...unanswered];
    const jobId = await sendTo(first, numbers, { onDuplicates: 'keep' });
    await settled(first, jobId, 20);
    await deployment!.workers[0]!.kill();
    await deployment!.workers[0]!.start();
    const job = await ended(first, jobId, 60_000);
    const recipients = await recipientsOf(first, jobId);
    const accepted = (await jobOf(jobId)).map(({ callbackData }) => callbackData.split('.')[0]!);
    expect(doubled(accepted)).toEqual([]);
    const ofUnanswered = recipients.filter((recipient) => unanswered.includes(recipient.phone!));
    expect(ofUnanswered.map(({ status, errorCode }) => `${status} ${errorCode}`)).toEqual(
      Array(8).fill('Unknown outcome_unknown'),
    );
    expect(accepted.filter((id) => ofUnanswered.some(({ messageId }) => messageId === id))).toHaveLength(8);
    expect(job).toMatchObject({ status: 'Completed', failed: job.unknown, totalRecipients: 208, duplicateRows: 0 });
  });
});
