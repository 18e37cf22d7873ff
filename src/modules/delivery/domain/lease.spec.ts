import { FakeClock } from '../../../../test/fakes/fake-clock';
import { EngineDatabase, storeTerms } from '../../../../test/fakes/engine-database';
import { SimulatedLaneLeases } from '../../../../test/simulation/simulated-lane-leases';
import type { LeaseTerms } from './lane-parts';
import { Lease } from './lease';

/** A database that is slow to renew a lease. */
class SlowLanes extends SimulatedLaneLeases {
  constructor(
    private readonly clock: FakeClock,
    ...lanes: ConstructorParameters<typeof SimulatedLaneLeases>
  ) {
    super(...lanes);
  }

  override async renew(senderId: string, epoch: string): Promise<boolean> {
    await this.clock.sleep(2900);
    return super.renew(senderId, epoch);
  }
}

describe('A lease', () => {
  let clock: FakeClock;
  let database: EngineDatabase;
  let lease: Lease;

  beforeEach(() => {
    clock = new FakeClock();
    database = new EngineDatabase(clock);
  });

  afterEach(async () => {
    database.isUnavailable = false;
    const ended = lease.end();
    await clock.advance(2000);
    await ended;
  });

  const storeOf = (owner: string): SimulatedLaneLeases => new SimulatedLaneLeases(database, storeTerms(owner));

  async function begin(terms: LeaseTerms = 'renewed'): Promise<Lease> {
    const store = storeOf('first');
    const epoch = await store.take('s');
    return new Lease(store, clock, terms, 's', epoch!, clock.monotonic());
  }

  it('allows requests while it is renewed, and no other process to take the lane', async () => {
    lease = await begin();
    for (let second = 0; second < 20; second++) {
      await clock.advance(1000);
      expect(lease.maySend()).toBe(true);
      expect(await storeOf('second').take('s')).toBeNull();
    }
    expect(lease.lost).toBe(false);
  });

  it('allows no requests 3 s after the last renewal began, a second before others may take the lane', async () => {
    lease = await begin();
    await clock.advance(1500);
    database.isUnavailable = true;
    await clock.advance(2499);
    expect(lease.maySend()).toBe(true);
    await clock.advance(1);
    expect(lease.maySend()).toBe(false);
    expect(lease.lost).toBe(false);

    database.isUnavailable = false;
    expect(await storeOf('second').take('s')).toBeNull();
    await clock.advance(1000);
    expect(lease.maySend()).toBe(true);
  });

  it('is lost once another process has taken the lane', async () => {
    lease = await begin();
    database.isUnavailable = true;
    await clock.advance(6500);
    database.isUnavailable = false;
    expect(await storeOf('second').take('s')).toBe('2');
    await clock.advance(1000);

    expect(lease.lost).toBe(true);
    expect(lease.maySend()).toBe(false);
  });

  it('allows no requests once a renewal shows that another process has the lane', async () => {
    lease = await begin();
    await clock.advance(1500);
    const lane = database.server.lanes.row('s');
    lane.committed = { ...lane.committed!, epoch: 2 };
    await clock.advance(600);

    expect(lease.lost).toBe(true);
    expect(lease.maySend()).toBe(false);
  });

  it('counts from the start of a renewal, even of a slow one', async () => {
    const store = new SlowLanes(clock, database, storeTerms('first'));
    const epoch = await store.take('s');
    lease = new Lease(store, clock, 'renewed', 's', epoch!, clock.monotonic());
    await clock.advance(3999);
    expect(lease.maySend()).toBe(true);
    await clock.advance(1);
    expect(lease.maySend()).toBe(false);
    await clock.advance(3000);
  });

  it('counts from the time before it was requested', async () => {
    const store = storeOf('first');
    const epoch = await store.take('s');
    lease = new Lease(store, clock, 'renewed', 's', epoch!, clock.monotonic() - 3000);

    expect(lease.maySend()).toBe(false);
  });

  it('releases the lane at its end', async () => {
    lease = await begin();
    await lease.end();

    expect(await storeOf('second').take('s')).toBe('2');
  });

  it('ends even if the lane cannot be released', async () => {
    lease = await begin();
    database.isUnavailable = true;

    await expect(lease.end()).resolves.toBeUndefined();
  });

  it('needs no renewal if no other process can exist', async () => {
    lease = await begin('exclusive');
    database.isUnavailable = true;
    await clock.advance(3_600_000);

    expect(lease.maySend()).toBe(true);
  });
});
