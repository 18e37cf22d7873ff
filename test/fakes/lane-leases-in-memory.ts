import {
  type Epoch,
  type LaneCensus,
  LaneLeases,
  type LaneThrottle,
} from '../../src/modules/delivery/domain/lane-leases.port';
import { isRunnable } from './lane-rows';
import type { LaneRow, MemoryDatabase, Tables } from './memory-database';

const LEASE_MS = 4000;
const WORKER_LEASE_MS = 3000;

/** Who a process is, and how long unknown outcomes may settle. */
export interface LaneOptions {
  owner: string;
  exclusive: boolean;
  graceMs: number;
}

/** Leases in memory, with the same fences as the table. */
export class LaneLeasesInMemory extends LaneLeases {
  constructor(
    private readonly database: MemoryDatabase,
    private readonly options: LaneOptions,
  ) {
    super();
  }

  sendersToRun(): Promise<string[]> {
    return this.database.call('sendersToRun', (tables) => {
      const now = this.now();
      const { exclusive, graceMs } = this.options;
      const senders = new Set<string>();
      for (const job of tables.jobs) {
        const rows = tables.recipients.filter(({ jobId }) => jobId === job.id);
        if (isRunnable(job, rows, now, graceMs)) senders.add(job.senderId);
      }
      for (const { sendingEpoch, retryAt, senderId } of tables.singleSends) {
        if (sendingEpoch !== null || (retryAt && retryAt.getTime() <= now)) senders.add(senderId);
      }
      const isFree = (id: string): boolean => {
        const lane = tables.lanes.find((row) => row.senderId === id);
        return !lane || lane.leaseUntil < now || exclusive;
      };
      return [...senders].filter(isFree);
    });
  }

  report(lanes: number): Promise<LaneCensus> {
    return this.database.call('report', (tables) => {
      const { owner, exclusive } = this.options;
      tables.workers = tables.workers.filter(
        (worker) => worker.owner !== owner && worker.leaseUntil > this.now() && !exclusive,
      );
      tables.workers.push({ owner, lanes, leaseUntil: exclusive ? Infinity : this.now() + WORKER_LEASE_MS });
      return {
        workers: tables.workers.length,
        lanes: tables.workers.reduce((sum, worker) => sum + worker.lanes, 0),
      };
    });
  }

  leave(): Promise<void> {
    return this.database.call('leave', (tables) => {
      tables.workers = tables.workers.filter(({ owner }) => owner !== this.options.owner);
    });
  }

  take(senderId: string): Promise<Epoch | null> {
    return this.database.call('take', (tables) => {
      const { owner, exclusive } = this.options;
      const held = tables.lanes.find((row) => row.senderId === senderId);
      if (held && held.leaseUntil >= this.now() && !exclusive) return null;
      const epoch = (held?.epoch ?? 0) + 1;
      const leaseUntil = exclusive ? Infinity : this.now() + LEASE_MS;
      tables.lanes = tables.lanes.filter((row) => row !== held);
      tables.lanes.push({ senderId, epoch, owner, leaseUntil, throttledReason: null, throttledUntil: null });
      return String(epoch);
    });
  }

  renew(senderId: string, epoch: Epoch): Promise<boolean> {
    return this.database.call('renew', (tables) => {
      const lane = laneOf(tables, senderId, epoch);
      if (lane) lane.leaseUntil = this.now() + LEASE_MS;
      return lane !== undefined;
    });
  }

  giveBack(senderId: string, epoch: Epoch): Promise<void> {
    return this.database.call('giveBack', (tables) => {
      const lane = laneOf(tables, senderId, epoch);
      if (lane)
        Object.assign(lane, { owner: null, leaseUntil: -Infinity, throttledReason: null, throttledUntil: null });
    });
  }

  hold(senderId: string, epoch: Epoch): Promise<boolean> {
    return this.database.call('hold', (tables) => laneOf(tables, senderId, epoch) !== undefined);
  }

  showThrottle(senderId: string, epoch: Epoch, throttle: LaneThrottle | null): Promise<void> {
    return this.database.call('showThrottle', (tables) => {
      const lane = laneOf(tables, senderId, epoch);
      if (!lane) return;
      Object.assign(lane, { throttledReason: throttle?.reason ?? null, throttledUntil: throttle?.until ?? null });
    });
  }

  private now(): number {
    return this.database.now().getTime();
  }
}

function laneOf(tables: Tables, senderId: string, epoch: Epoch): LaneRow | undefined {
  return tables.lanes.find((row) => row.senderId === senderId && String(row.epoch) === epoch);
}
