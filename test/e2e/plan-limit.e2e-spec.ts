import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, Client } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { type Service, startService } from '../support/process/service';

// Of the clock on the wall: whatever else the machine does can only disturb a run, so one undisturbed run is proof enough.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

const OTHER_PLANS = {
  Enterprise: { requestsPerSecond: 500, burst: 1000, maxRowsPerFile: 1_000_000 },
  Free: { requestsPerSecond: 5, burst: 10, maxRowsPerFile: 5000 },
  /** So slow that nothing comes back while a test runs. */
  Trickle: { requestsPerSecond: 0.02, burst: 3, maxRowsPerFile: 2 },
};

describe('The request rate of a plan', () => {
  let folder: string;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mta-plans-'));
    await writeFile(join(folder, 'plans.json'), JSON.stringify(OTHER_PLANS));
    service = await startService({ env: { PLANS_FILE: join(folder, 'plans.json') } });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const accountOn = async (plan: string, scopes = ['jobs:read']): Promise<{ id: string; key: string }> => {
    const { id } = (await client.post('/accounts', { name: plan, plan })).body;
    return { id, key: (await client.post(`/accounts/${id}/api-keys`, { name: 'k', scopes })).body.key };
  };
  const ask = (key: string, count: number): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, () => client.get('/me', { key })));
  const numberIn = ({ headers }: Answer, name: string) => {
    expect(headers.get(name)).toMatch(/^\d+$/);
    return Number(headers.get(name));
  };

  it('lets a burst pass and answers the rest 429 in the words of the specification', async () => {
    const { key } = await accountOn('Free');
    const answers = await ask(key, 25);
    const refused = answers.filter(({ status }) => status === 429);

    expect(answers.length - refused.length).toBeGreaterThanOrEqual(10);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    for (const answer of refused) {
      expectError(answer, 429, 'rate_limited');
      expect(answer.body).toEqual({
        error: 'Too Many Requests',
        message: expect.stringMatching(/plan.*again in \d+ s/),
        statusCode: 429,
        code: 'rate_limited',
        retryAfter: expect.any(Number),
        requestId: expect.any(String),
      });
      expect(Number.isInteger(answer.body.retryAfter)).toBe(true);
      expect(answer.body.retryAfter).toBeGreaterThanOrEqual(1);
      expect(numberIn(answer, 'retry-after')).toBe(answer.body.retryAfter);
      expect(numberIn(answer, 'ratelimit-remaining')).toBe(0);
    }
  });

  it('is told in headers that count down', async () => {
    const { key } = await accountOn('Trickle');
    const answers: Answer[] = [];
    for (let n = 0; n < 4; n++) answers.push(await client.get('/me', { key }));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map((answer) => numberIn(answer, 'ratelimit-limit'))).toEqual([3, 3, 3, 3]);
    expect(answers.map((answer) => numberIn(answer, 'ratelimit-remaining'))).toEqual([2, 1, 0, 0]);
    for (const answer of answers) expect(numberIn(answer, 'ratelimit-reset')).toBeGreaterThan(0);
    expect(answers[3]!.body.retryAfter).toBeGreaterThan(40);
    expect(answers[3]!.body.retryAfter).toBeLessThanOrEqual(50);
  });

  it('lets requests pass again after retryAfter seconds', async () => {
    const { key } = await accountOn('Free');
    const refused = (await ask(key, 25)).filter(({ status }) => status === 429);

    await new Promise((done) => setTimeout(done, refused.at(-1)!.body.retryAfter * 1000));
    expect((await client.get('/me', { key })).status).toBe(200);
  });

  it('is judged after the key, and before scope, path, content type and body', async () => {
    const { key } = await accountOn('Trickle');
    await ask(key, 3);

    expectError(await client.post('/send-template', '{broken', { key }), 429, 'rate_limited');
    expectError(
      await client.post('/send-template', 'x', { key, headers: { 'content-type': 'text/plain' } }),
      429,
      'rate_limited',
    );
    expectError(await client.get('/accounts', { key }), 429, 'rate_limited');
    expectError(await client.get('/bulk-jobs/nonsense/status', { key }), 429, 'rate_limited');
    expectError(await client.get('/nothing', { key }), 429, 'rate_limited');
    expectError(await client.get('/me', { key: `${key}x` }), 401, 'unauthorized');
  });

  it('counts what is refused for another reason too', async () => {
    const { key } = await accountOn('Trickle');
    const answers = [
      await client.get('/accounts', { key }),
      await client.get('/bulk-jobs?page=0', { key }),
      await client.get('/nothing', { key }),
      await client.get('/me', { key }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 400, 404, 429]);
  });

  it('is one for all keys of an account, and another one for another account', async () => {
    const { id, key } = await accountOn('Trickle');
    const second = (await client.post(`/accounts/${id}/api-keys`, { name: 'second', scopes: ['jobs:read'] })).body.key;
    const other = await accountOn('Trickle');
    await ask(key, 3);

    expectError(await client.get('/me', { key: second }), 429, 'rate_limited');
    expect((await client.get('/me', { key: other.key })).status).toBe(200);
    expect((await client.get('/me')).status).toBe(200);
  });

  it('is not used up by requests without a valid key, nor by public paths', async () => {
    const { key } = await accountOn('Trickle');
    for (let n = 0; n < 5; n++) {
      await client.get('/me', { key: 'wrong' });
      expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    }

    expect(numberIn(await client.get('/me', { key }), 'ratelimit-remaining')).toBe(2);
  });

  it('changes with the plan of the account', async () => {
    const { id, key } = await accountOn('Trickle');
    await ask(key, 4);
    await client.call('PATCH', `/accounts/${id}`, { body: { plan: 'Enterprise' } });

    const answer = await client.get('/me', { key });
    expect(answer).toMatchObject({ status: 200, body: { plan: 'Enterprise', limits: OTHER_PLANS.Enterprise } });
    expect(numberIn(answer, 'ratelimit-limit')).toBe(1000);
  });

  it('is not told to those who have no valid key', async () => {
    const { headers } = await client.get('/me', { key: 'wrong' });

    expect([...headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  });

  it('belongs to a plan that also limits the rows of a file', async () => {
    const { id, key } = await accountOn('Enterprise', ['messaging:send', 'templates:manage']);
    // A number of its own, so that the test can be repeated.
    const sender = { phoneNumberId: String(Date.now()), businessAccountId: '204876543210002' };
    await client.call('PATCH', `/accounts/${id}`, { body: { sender } });
    await client.post('/templates/sync', undefined, { key });
    await client.call('PATCH', `/accounts/${id}`, { body: { plan: 'Trickle' } });
    const file = { name: 'list.csv', content: 'phone\n4915112345010\n4915112345020\n4915112345030\n' };

    const body = expectError(await client.upload(file, { templateName: 'hello_world' }, { key }), 413, 'too_many_rows');
    expect(body.limit).toBe(2);
  });
});
