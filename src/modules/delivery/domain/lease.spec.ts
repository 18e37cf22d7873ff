import { FakeClock } from '../../../../test/fakes/fake-clock';
import { LaneLeasesInMemory } from '../../../../test/fakes/lane-leases-in-memory';
import { MemoryDatabase } from '../../../../test/fakes/memory-database';
import { Lease, type LeaseTerms } from './lease';

/** A database that takes its time to prolong a lease. */
class SlowLanes extends LaneLeasesInMemory {
  constructor(
    private readonly clock: FakeClock,
    ...lanes: ConstructorParameters<typeof LaneLeasesInMemory>
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
  let database: MemoryDatabase;
  let lease: Lease;

  beforeEach(() => {
    clock = new FakeClock();
    database = new MemoryDatabase(() => clock.now());
  });

  afterEach(async () => {
    database.away = false;
    const ended = lease.end();
    await clock.advance(2000);
    await ended;
  });

  const storeOf = (owner: string): LaneLeasesInMemory =>
    new LaneLeasesInMemory(database, { owner, exclusive: false, graceMs: 900_000 });

  async function begin(terms: LeaseTerms = 'renewed'): Promise<Lease> {
    const store = storeOf('first');
    const epoch = await store.take('s');
    return new Lease(store, clock, terms, 's', epoch!, clock.monotonic());
  }

  it('lets requests leave as long as it is renewed, and nobody else take the lane', async () => {
    lease = await begin();
    for (let second = 0; second < 20; second++) {
      await clock.advance(1000);
      expect(lease.maySend()).toBe(true);
      expect(await storeOf('second').take('s')).toBeNull();
    }
    expect(lease.lost).toBe(false);
  });

  it('lets nothing leave from 3 s after the last renewal was begun, a second before others may take the lane', async () => {
    lease = await begin();
    await clock.advance(1500);
    database.away = true;
    await clock.advance(2499);
    expect(lease.maySend()).toBe(true);
    await clock.advance(1);
    expect(lease.maySend()).toBe(false);
    expect(lease.lost).toBe(false);

    database.away = false;
    expect(await storeOf('second').take('s')).toBeNull();
    await clock.advance(1000);
    expect(lease.maySend()).toBe(true);
  });

  it('is lost once another process took the lane', async () => {
    lease = await begin();
    database.away = true;
    await clock.advance(6500);
    database.away = false;
    expect(await storeOf('second').take('s')).toBe('2');
    await clock.advance(1000);

    expect(lease.lost).toBe(true);
    expect(lease.maySend()).toBe(false);
  });

  it('lets nothing leave from the moment when it hears that another process has the lane', async () => {
    lease = await begin();
    await clock.advance(1500);
    database.tables.lanes[0]!.epoch++;
    await clock.advance(600);

    expect(lease.lost).toBe(true);
    expect(lease.maySend()).toBe(false);
  });

  it('counts from the moment before a renewal was asked for, however long that took', async () => {
    const store = new SlowLanes(clock, database, { owner: 'first', exclusive: false, graceMs: 900_000 });
    const epoch = await store.take('s');
    lease = new Lease(store, clock, 'renewed', 's', epoch!, clock.monotonic());
    await clock.advance(3999);
    expect(lease.maySend()).toBe(true);
    await clock.advance(1);
    expect(lease.maySend()).toBe(false);
    await clock.advance(3000);
  });

  it('counts from the moment before it was asked for', async () => {
    const store = storeOf('first');
    const epoch = await store.take('s');
    lease = new Lease(store, clock, 'renewed', 's', epoch!, clock.monotonic() - 3000);

    expect(lease.maySend()).toBe(false);
  });

  it('gives the lane back at its end', async () => {
    lease = await begin();
    await lease.end();

    expect(await storeOf('second').take('s')).toBe('2');
  });

  it('ends also when the lane cannot be given back', async () => {
    lease = await begin();
    database.away = true;

    await expect(lease.end()).resolves.toBeUndefined();
  });

  it('needs no renewal where no other process can be', async () => {
    lease = await begin('exclusive');
    database.away = true;
    await clock.advance(3_600_000);

    expect(lease.maySend()).toBe(true);
  });
});
