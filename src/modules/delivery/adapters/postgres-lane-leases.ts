import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import { type Epoch, type LaneCensus, LaneLeases, type LaneThrottle } from '../domain/lane-leases.port';
import * as sql from './lane-leases.sql';
import { LaneStoreOptions, TOGETHER } from './lane-store-options';

interface OwnLane {
  senderId: string;
  epoch: Epoch;
}

/** Leases in the table `sender_lanes`, workers in `lane_workers`; their times are the database's. */
@Injectable()
export class PostgresLaneLeases extends LaneLeases {
  private readonly renewals: GroupCommit<OwnLane, boolean>;

  constructor(
    private readonly database: Database,
    private readonly options: LaneStoreOptions,
    clock: Clock,
  ) {
    super();
    this.renewals = new GroupCommit((lanes) => this.renewAll(lanes), { ...TOGETHER, clock });
  }

  async sendersToRun(): Promise<string[]> {
    const { graceMs, exclusive } = this.options;
    const rows = await this.database.rows<{ senderId: string }>(sql.SENDERS_TO_RUN, [graceMs, exclusive]);
    return rows.map(({ senderId }) => senderId);
  }

  async report(lanes: number): Promise<LaneCensus> {
    const { owner, exclusive } = this.options;
    const [census] = await this.database.rows<LaneCensus>(sql.REPORT_WORKER, [owner, lanes, exclusive]);
    return census!;
  }

  async leave(): Promise<void> {
    await this.database.execute(sql.REMOVE_WORKER, [this.options.owner]);
  }

  async take(senderId: string): Promise<Epoch | null> {
    const { owner, exclusive } = this.options;
    const [lane] = await this.database.rows<{ epoch: Epoch }>(sql.TAKE_LANE, [senderId, owner, exclusive]);
    return lane?.epoch ?? null;
  }

  /** A claim locks its lane: only this lane waits for it. */
  async renew(senderId: string, epoch: Epoch): Promise<boolean> {
    if (await this.renewals.submit({ senderId, epoch })) return true;
    return (await this.database.execute(sql.RENEW_LANE, [senderId, epoch])).affected > 0;
  }

  async release(senderId: string, epoch: Epoch): Promise<void> {
    await this.database.execute(sql.RELEASE_LANE, [senderId, epoch]);
  }

  async hold(senderId: string, epoch: Epoch): Promise<boolean> {
    return (await this.database.rows(sql.HOLD_LANE, [senderId, epoch])).length > 0;
  }

  async showThrottle(senderId: string, epoch: Epoch, throttle: LaneThrottle | null): Promise<void> {
    const shown = [senderId, epoch, throttle?.reason ?? null, throttle?.until ?? null];
    await this.database.execute(sql.SHOW_THROTTLE, shown);
  }

  /** Returns which lanes were renewed; the others are locked or lost. */
  private async renewAll(lanes: readonly OwnLane[]): Promise<boolean[]> {
    const columns = [lanes.map(({ senderId }) => senderId), lanes.map(({ epoch }) => epoch)];
    const { rows } = await this.database.execute<{ senderId: string }>(sql.RENEW_LANES, columns);
    const renewed = new Set(rows.map(({ senderId }) => senderId));
    return lanes.map(({ senderId }) => renewed.has(senderId));
  }
}
