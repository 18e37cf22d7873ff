import type { Epoch, LaneCensus, LaneLeases, LaneThrottle } from '../../src/modules/delivery/domain/lane-leases.port';
import { isRunnable } from '../fakes/lane-rows';
import type { LaneRow, WorkerRow } from '../fakes/engine-rows';
import { LaneTables } from './lane-tables';

const LEASE_MS = 4000;
const WORKER_LEASE_MS = 3000;

/** Leases, statement by statement like the SQL of the real store, so that anything can happen between two statements. */
export class SimulatedLaneLeases extends LaneTables implements LaneLeases {
  sendersToRun(): Promise<string[]> {
    return this.database.statement('SENDERS_TO_RUN', () => {
      const now = this.now();
      const senders = new Set<string>();
      for (const job of this.server.jobs.committed()) {
        if (!senders.has(job.senderId) && isRunnable(job, this.rowsOf(job.id), now, this.terms.graceMs)) {
          senders.add(job.senderId);
        }
      }
      for (const send of this.server.singles.committed()) {
        if (send.sendingEpoch !== null || (send.retryAt && send.retryAt.getTime() <= now)) senders.add(send.senderId);
      }
      return [...senders].filter((id) => {
        const lane = this.server.lanes.row(id).committed;
        return !lane || lane.leaseUntil < now || this.terms.exclusive;
      });
    });
  }

  report(lanes: number): Promise<LaneCensus> {
    const { owner, exclusive } = this.terms;
    return this.database.statement('REPORT_WORKER', (transaction) => {
      const { workers } = this.server;
      const leaseUntil = exclusive ? Infinity : this.now() + WORKER_LEASE_MS;
      const others = [...workers.committed()].filter((row) => row.owner !== owner && row.leaseUntil > this.now());
      if (exclusive)
        for (const other of others) transaction.writes.set(workers.row(other.owner), { ...other, leaseUntil: 0 });
      transaction.writes.set(workers.row(owner), { owner, lanes, leaseUntil } satisfies WorkerRow);
      return { workers: others.length + 1, lanes: others.reduce((sum, row) => sum + row.lanes, lanes) };
    });
  }

  async leave(): Promise<void> {
    await this.database.statement('REMOVE_WORKER', (transaction) =>
      this.server.update(
        transaction,
        [this.server.workers.row(this.terms.owner)],
        () => true,
        () => ({ leaseUntil: 0 }),
      ),
    );
  }

  take(senderId: string): Promise<Epoch | null> {
    const { owner, exclusive } = this.terms;
    const row = this.server.lanes.row(senderId);
    return this.database.statement('TAKE_LANE', async (transaction) => {
      const wait = this.server.lock(transaction, row);
      if (wait) await wait;
      const held = row.seenBy(transaction);
      if (held && held.leaseUntil >= this.now() && !exclusive) return null;
      const epoch = (held?.epoch ?? 0) + 1;
      const leaseUntil = exclusive ? Infinity : this.now() + LEASE_MS;
      const lane: LaneRow = { senderId, epoch, owner, leaseUntil, throttledReason: null, throttledUntil: null };
      transaction.writes.set(row, lane);
      return String(epoch);
    });
  }

  async renew(senderId: string, epoch: Epoch): Promise<boolean> {
    const renewed = await this.updateLane('RENEW_LANE', senderId, epoch, () => ({ leaseUntil: this.now() + LEASE_MS }));
    return renewed.length > 0;
  }

  async release(senderId: string, epoch: Epoch): Promise<void> {
    const free = { owner: null, leaseUntil: -Infinity, throttledReason: null, throttledUntil: null };
    await this.updateLane('RELEASE_LANE', senderId, epoch, () => free);
  }

  hold(senderId: string, epoch: Epoch): Promise<boolean> {
    const lane = this.server.lanes.row(senderId);
    return this.database.statement('HOLD_LANE', async (transaction) => {
      const held = await this.server.select(transaction, [lane], (row) => String(row.epoch) === epoch, true);
      return held.length > 0;
    });
  }

  async showThrottle(senderId: string, epoch: Epoch, throttle: LaneThrottle | null): Promise<void> {
    const shown = { throttledReason: throttle?.reason ?? null, throttledUntil: throttle?.until ?? null };
    await this.updateLane('SHOW_THROTTLE', senderId, epoch, () => shown);
  }
}
