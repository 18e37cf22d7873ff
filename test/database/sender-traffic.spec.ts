import { Registry } from 'prom-client';
import type { Database } from '../../src/infra/database/database';
import { HealthChecks } from '../../src/infra/health/health-checks';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresTrafficStore } from '../../src/modules/accounts/adapters/postgres-traffic-store';
import { SenderTrafficHealth } from '../../src/modules/accounts/adapters/sender-traffic-health';
import { SenderTrafficService } from '../../src/modules/accounts/domain/sender-traffic.service';
import { TrafficMarks } from '../../src/modules/accounts/domain/traffic-marks';
import { ManualClock } from '../fakes/manual-clock';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';

const MINUTE = 60_000;

describeOnDatabase('Reports on the messages of a sender', (open) => {
  let database: Database;
  let clock: ManualClock;
  let senderId: string;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    clock = new ManualClock();
    const tables = new SqlSendingTables(database);
    await tables.addSender();
    senderId = tables.senderId;
  });
  afterEach(() => database.execute('DELETE FROM sender_traffic'));

  /** One process: marks its traffic, checks once a minute, and reports on request. */
  function newProcess() {
    const marks = new TrafficMarks();
    const traffic = new SenderTrafficService(marks, new PostgresTrafficStore(database), clock);
    const checks = new HealthChecks();
    const registry = new Registry();
    new SenderTrafficHealth(traffic, checks, clock, registry).onModuleInit();
    return {
      marks,
      traffic,
      health: async () => {
        await traffic.update();
        const { ready, degraded, checks: found } = await checks.run();
        const [status] = found;
        return { ready, degraded, reason: status!.health.ok ? null : status!.health.reason };
      },
      metric: async (name: string) => (await registry.getSingleMetric(name)!.get()).values,
    };
  }

  it('degrade every process after 10 minutes of sends without a status, until one arrives', async () => {
    const [worker, api] = [newProcess(), newProcess()];
    const sendFor = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        worker.marks.accepted(senderId, clock.now());
        await worker.traffic.update();
        clock.advance(MINUTE);
      }
    };
    await sendFor(11);
    expect(await api.health()).toEqual({ ready: true, degraded: false, reason: null });
    await sendFor(1);
    expect(await api.health()).toEqual({
      ready: true,
      degraded: true,
      reason: expect.stringMatching(/^messages are sent but .*: \S+ for 11 min\. Check the webhook/) as string,
    });
    expect(await worker.health()).toMatchObject({ ready: true, degraded: true });
    expect(await api.metric('messaging_senders_unreported')).toMatchObject([{ value: 1 }]);

    const reportedAt = clock.now();
    api.marks.reported(senderId, reportedAt);
    const statements = jest.spyOn(database, 'rows');
    expect(api.traffic.lastWebhookAt({ id: senderId, lastReportedAt: null })).toEqual(reportedAt);
    expect(worker.traffic.lastWebhookAt({ id: senderId, lastReportedAt: null })).toBeNull();
    expect(worker.traffic.lastWebhookAt({ id: senderId, lastReportedAt: reportedAt })).toEqual(reportedAt);
    expect(statements).not.toHaveBeenCalled();
    statements.mockRestore();
    expect(await api.health()).toEqual({ ready: true, degraded: false, reason: null });
    expect(await api.metric('messaging_senders_unreported')).toMatchObject([{ value: 0 }]);
    expect(await api.metric('messaging_last_status_webhook_timestamp_seconds')).toMatchObject([
      { value: reportedAt.getTime() / 1000 },
    ]);

    clock.advance(MINUTE);
    await sendFor(11);
    expect(await api.health()).toMatchObject({ degraded: false });
    await sendFor(1);
    expect(await api.health()).toMatchObject({ degraded: true });
  });

  it("are fine while statuses arrive, in any order of the processes' marks", async () => {
    const [worker, api] = [newProcess(), newProcess()];
    for (let minute = 0; minute < 25; minute++) {
      for (let second = 0; second < 60; second += 20) {
        worker.marks.accepted(senderId, clock.now());
        clock.advance(20_000);
        api.marks.reported(senderId, clock.now());
      }
      const order = minute % 2 === 0 ? [worker, api] : [api, worker];
      for (const { health } of order) expect(await health()).toMatchObject({ degraded: false });
    }
  });

  it('are measured only for senders that have sent within an hour, or with unreported messages', async () => {
    const { marks, metric, traffic } = newProcess();
    const measured = async () => {
      await traffic.update();
      return (await metric('messaging_last_status_webhook_timestamp_seconds')).length;
    };
    marks.accepted(senderId, clock.now());
    marks.reported(senderId, clock.now());
    expect(await measured()).toBe(1);
    clock.advance(61 * MINUTE);
    expect(await measured()).toBe(0);
    marks.accepted(senderId, clock.now());
    expect(await measured()).toBe(1);
    clock.advance(61 * MINUTE);
    expect(await measured()).toBe(1);
  });

  it('ignore a sender with a single unreported message, and drop a deleted one', async () => {
    const { marks, health, traffic } = newProcess();
    marks.accepted(senderId, clock.now());
    marks.accepted(uuidV7(), clock.now());
    await traffic.update();
    clock.advance(60 * MINUTE);
    expect(await health()).toEqual({ ready: true, degraded: false, reason: null });
    expect(traffic.states).toMatchObject([{ senderId }]);
  });
});
