import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { type Epoch, type LaneCensus, LaneLeases, type LaneThrottle } from '../domain/lane-leases.port';
import * as sql from './lane-leases.sql';
import { LaneStoreOptions } from './lane-store-options';

/** Leases in the table `sender_lanes`, workers in `lane_workers`; their times are the database's. */
@Injectable()
export class PostgresLaneLeases extends LaneLeases {
  constructor(
    private readonly database: Database,
    private readonly options: LaneStoreOptions,
  ) {
    super();
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

  async renew(senderId: string, epoch: Epoch): Promise<boolean> {
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
}
