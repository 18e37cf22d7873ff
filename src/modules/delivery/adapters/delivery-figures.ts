import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { SingleSends } from '../../sending/domain/single-sends';
import { LaneDriver } from '../domain/lane-driver';
import { Recorder } from '../domain/recorder';
import { LaneWorkload, type Workload } from './lane-workload';

/** Figures of the sending engine: the workload of all processes from the database, the rest from this process's memory. */
@Injectable()
export class DeliveryFigures {
  constructor(
    registry: Registry,
    driver: LaneDriver,
    recorder: Recorder,
    singleSends: SingleSends,
    workload: LaneWorkload,
  ) {
    const own = (name: string, help: string, read: () => number): Gauge =>
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    /** Has no value while the database does not respond. */
    const shared = (name: string, help: string, read: (found: Workload) => number): Gauge =>
      new Gauge({
        name,
        help: `${help} The same on every process.`,
        registers: [registry],
        async collect() {
          // Metrics of the connections are read first, as this read occupies one.
          await nextTurn();
          const found = await workload.read();
          if (found) this.set(read(found));
          else this.remove();
        },
      });
    shared('messaging_lanes_with_work', 'Senders with something to send.', ({ owned, unowned }) => owned + unowned);
    shared(
      'messaging_lanes_without_owner',
      'Senders with something to send whose lane has no owner.',
      ({ unowned }) => unowned,
    );
    shared(
      'messaging_recipients_waiting',
      'Recipients without an outcome in jobs that may send now: not paused, held by the messaging tier or outside their send window.',
      ({ recipients }) => recipients,
    );
    own('messaging_lanes_held', 'Lanes owned by this process.', () => driver.state.lanes);
    own(
      'messaging_lanes_with_expired_lease',
      'Lanes of this process that cannot send because their lease was not renewed in time.',
      () => driver.state.withoutLease,
    );
    own(
      'messaging_lane_sweep_age_seconds',
      'Seconds since this process last searched for lanes with work; 0 on a process that does not send jobs.',
      () => (driver.state.sweptAgoMs ?? 0) / 1000,
    );
    own(
      'messaging_answers_unrecorded',
      'Platform responses not yet recorded in the database.',
      () => recorder.answers.pending + singleSends.answers.pending,
    );
    own(
      'messaging_answers_stalled_seconds',
      'Seconds since platform responses that wait to be recorded were last recorded; 0: none waits.',
      () => Math.max(recorder.answers.stalledMs, singleSends.answers.stalledMs) / 1000,
    );
  }
}
