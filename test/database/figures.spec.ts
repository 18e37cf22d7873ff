import { Registry } from 'prom-client';
import type { Database } from '../../src/infra/database/database';
import { DatabaseHealth } from '../../src/infra/database/database-health';
import { HealthChecks } from '../../src/infra/health/health-checks';
import { HealthMetrics } from '../../src/infra/metrics/health-metrics';
import { PoolMetrics } from '../../src/infra/metrics/pool-metrics';
import { DeliveryFigures } from '../../src/modules/delivery/adapters/delivery-figures';
import { LaneWorkload } from '../../src/modules/delivery/adapters/lane-workload';
import type { LaneDriver } from '../../src/modules/delivery/domain/lane-driver';
import type { Recorder } from '../../src/modules/delivery/domain/recorder';
import type { SingleSends } from '../../src/modules/sending/domain/single-sends';
import { describeOnDatabase } from '../support/databases';
import { GRACE_MS, laneProcessOn } from '../support/lane-stores';
import { ago, SqlSendingTables } from '../support/sending-tables';

/** The state of an API process: it runs no lanes. */
const NO_LANES = { state: { lanes: 0, withoutLease: 0, sweptAgoMs: null } } as Partial<LaneDriver> as LaneDriver;
const NOTHING_PENDING = { answers: { pending: 0, stalledMs: 0 } };

describeOnDatabase('Metrics of a process', (open) => {
  let database: Database;
  let registry: Registry;

  beforeEach(async () => {
    database = await open();
    registry = new Registry();
  });

  async function value(name: string): Promise<number | undefined> {
    const line = (await registry.metrics()).split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length));
  }

  function showWorkload(): void {
    const options = { owner: 'api', exclusive: false, graceMs: GRACE_MS, proofRange: 2 };
    const workload = new LaneWorkload(database, options);
    const recorder = NOTHING_PENDING as unknown as Recorder;
    const singleSends = NOTHING_PENDING as unknown as SingleSends;
    new DeliveryFigures(registry, NO_LANES, recorder, singleSends, workload);
  }

  it('count lanes with work but no owner without a worker', async () => {
    const [first, second] = [new SqlSendingTables(database), new SqlSendingTables(database)];
    await first.addSender();
    await first.addJob(5, { successfullySent: 1, failed: 1 });
    await first.addJob(9, { status: 'Paused' });
    await second.addSender();
    await second.addJob(3, { status: 'Processing' });
    await laneProcessOn(database, 'worker', false).take(second.senderId);
    showWorkload();

    expect(await value('messaging_lanes_with_work')).toBe(2);
    expect(await value('messaging_lanes_without_owner')).toBe(1);
    expect(await value('messaging_recipients_waiting')).toBe(6);
    await second.endLease();
    expect(await value('messaging_lanes_held')).toBe(0);
  });

  it('count no recipients to whom nothing may be sent now', async () => {
    const [sending, stopped] = [new SqlSendingTables(database), new SqlSendingTables(database)];
    await sending.addSender();
    await sending.addJob(2);
    await sending.addJob(3, { throttledUntil: ago(-60), throttledReason: 'messaging_limit_reached' });
    await sending.addJob(5, { throttledUntil: ago(60), throttledReason: 'messaging_limit_reached' });
    const inTwoDays = ((new Date().getUTCDay() + 1) % 7) + 1;
    const closed = { sendZone: 'UTC', sendFrom: '09:00', sendUntil: '17:00', sendDays: [inTwoDays] };
    await sending.addJob(7, closed);
    await sending.addJob(11, { ...closed, atRest: true });
    await stopped.addSender();
    await stopped.addJob(13);
    await database.execute('UPDATE accounts SET sending_paused = true WHERE id = $1', [stopped.accountId]);
    showWorkload();

    expect(await value('messaging_recipients_waiting')).toBe(2 + 5);
  });

  it('have no workload values while the database is unavailable', async () => {
    showWorkload();
    jest.spyOn(database, 'rows').mockRejectedValue(new Error('Connection terminated'));

    expect(await value('messaging_lanes_without_owner')).toBeUndefined();
    expect(await value('messaging_answers_unrecorded')).toBe(0);
    expect(await value('messaging_answers_stalled_seconds')).toBe(0);
    jest.restoreAllMocks();
  });

  it("do not count the scrape's own queries as callers waiting for a connection", async () => {
    const checks = new HealthChecks();
    const health = new DatabaseHealth(database);
    checks.register({ name: 'database', required: true, check: () => health.check() });
    new HealthMetrics(registry, checks);
    showWorkload();
    new PoolMetrics(registry, database);

    for (let scrape = 0; scrape < 5; scrape++) {
      expect(await value('messaging_database_connections{state="waiting"}')).toBe(0);
    }
  });
});
