import { type Health, HealthChecks } from './health-checks';

const fine = (): Health => ({ ok: true });
const failing = (): Health => ({ ok: false, reason: 'ECONNREFUSED' });

describe('HealthChecks', () => {
  let checks: HealthChecks;

  beforeEach(() => {
    checks = new HealthChecks();
  });

  it('are ready when all checks succeed', async () => {
    checks.register({ name: 'database', required: true, check: fine }, { name: 'redis', required: false, check: fine });
    expect(await checks.run()).toMatchObject({ ready: true, degraded: false });
  });

  it('are not ready when a required check fails, and report why', async () => {
    checks.register(
      { name: 'database', required: true, check: failing },
      { name: 'redis', required: false, check: failing },
    );
    expect(await checks.run()).toEqual({
      ready: false,
      degraded: false,
      checks: [
        { name: 'database', required: true, health: { ok: false, reason: 'ECONNREFUSED' } },
        { name: 'redis', required: false, health: { ok: false, reason: 'ECONNREFUSED' } },
      ],
    });
  });

  it('are ready but degraded when an optional check fails', async () => {
    checks.register(
      { name: 'database', required: true, check: fine },
      { name: 'redis', required: false, check: failing },
    );
    expect(await checks.run()).toMatchObject({ ready: true, degraded: true });
  });

  it('count a check that throws as failed', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    checks.register({ name: 'database', required: true, check: broken });
    expect(await checks.run()).toMatchObject({ ready: false, checks: [{ health: { reason: 'broken' } }] });
  });

  it('run in parallel, and time out after 2 s', async () => {
    const silent = () => new Promise<Health>(() => undefined);
    checks.register({ name: 'one', required: true, check: silent }, { name: 'two', required: false, check: silent });
    const started = performance.now();
    const { ready, checks: found } = await checks.run();
    expect(performance.now() - started).toBeLessThan(3500);
    expect(ready).toBe(false);
    expect(found.map(({ health }) => health)).toEqual(
      Array(2).fill({ ok: false, reason: 'no response within 2000 ms' }),
    );
  });
});
