import { HealthChecks } from '../../../infra/health/health-checks';
import type { LaneDriver, LaneDriverState } from '../domain/lane-driver';
import { DeliveryChecks } from './delivery-checks';

const WELL: LaneDriverState = { lanes: 3, withoutLease: 0, sweptAgoMs: 900 };

async function look(state: Partial<LaneDriverState>, runsLanes = true) {
  const checks = new HealthChecks();
  new DeliveryChecks(checks, { state: { ...WELL, ...state } } as LaneDriver, { runsLanes }).onModuleInit();
  return checks.run();
}

describe('The checks of the lanes', () => {
  it('pass while lanes are searched for and leases renewed', async () => {
    expect(await look({})).toMatchObject({ ready: true, degraded: false });
  });

  it('pass before the first sweep and after the last', async () => {
    expect(await look({ sweptAgoMs: null })).toMatchObject({ ready: true, degraded: false });
  });

  it('fail if the last sweep was more than 10 s ago', async () => {
    expect(await look({ sweptAgoMs: 10_000 })).toMatchObject({ ready: true });
    const { ready, checks } = await look({ sweptAgoMs: 12_400 });
    expect(ready).toBe(false);
    expect(checks[0]).toMatchObject({
      name: 'sweep',
      health: { ok: false, reason: 'the last sweep for lanes was 12 s ago' },
    });
  });

  it('report how many lanes send nothing because their lease is not renewed', async () => {
    const { ready, degraded, checks } = await look({ withoutLease: 2 });
    expect({ ready, degraded }).toEqual({ ready: true, degraded: true });
    expect(checks[1]).toMatchObject({ name: 'leases', health: { reason: expect.stringContaining('2 of 3 lanes') } });
  });

  it('are not registered in a process that does not run lanes', async () => {
    expect((await look({}, false)).checks).toEqual([]);
  });
});
