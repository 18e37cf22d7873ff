import { type Health, HealthChecks } from './health-checks';

const fine = (): Health => ({ ok: true });
const away = (): Health => ({ ok: false, reason: 'ECONNREFUSED' });

describe('HealthChecks', () => {
  let checks: HealthChecks;

  beforeEach(() => {
    checks = new HealthChecks();
  });

  it('are ready when everything is there', async () => {
    checks.register({ name: 'database', required: true, check: fine }, { name: 'redis', required: false, check: fine });
    expect(await checks.look()).toMatchObject({ ready: true, degraded: false });
  });

  it('are not ready without what is required, and say why', async () => {
    checks.register({ name: 'database', required: true, check: away }, { name: 'redis', required: false, check: away });
    expect(await checks.look()).toEqual({
      ready: false,
      degraded: false,
      checks: [
        { name: 'database', required: true, health: { ok: false, reason: 'ECONNREFUSED' } },
        { name: 'redis', required: false, health: { ok: false, reason: 'ECONNREFUSED' } },
      ],
    });
  });

  it('are ready but degraded without what is not required', async () => {
    checks.register({ name: 'database', required: true, check: fine }, { name: 'redis', required: false, check: away });
    expect(await checks.look()).toMatchObject({ ready: true, degraded: true });
  });

  it('take a check that throws for one that fails', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    checks.register({ name: 'database', required: true, check: broken });
    expect(await checks.look()).toMatchObject({ ready: false, checks: [{ health: { reason: 'broken' } }] });
  });

  it('wait 2 s for a check that does not answer, and not for one after the other', async () => {
    const silent = () => new Promise<Health>(() => undefined);
    checks.register({ name: 'one', required: true, check: silent }, { name: 'two', required: false, check: silent });
    const begun = performance.now();
    const { ready, checks: found } = await checks.look();
    expect(performance.now() - begun).toBeLessThan(3500);
    expect(ready).toBe(false);
    expect(found.map(({ health }) => health)).toEqual(
      Array(2).fill({ ok: false, reason: 'no response within 2000 ms' }),
    );
  });
});
