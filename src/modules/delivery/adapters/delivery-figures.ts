import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { SingleSends } from '../../sending/domain/single-sends.service';
import { LaneDriver } from '../domain/lane-driver';
import { Recorder } from '../domain/recorder';

/** What the sending engine of this process holds at the moment, as figures; reading them asks nobody. */
@Injectable()
export class DeliveryFigures {
  constructor(registry: Registry, driver: LaneDriver, recorder: Recorder, singleSends: SingleSends) {
    const gauge = (name: string, help: string, read: () => number): Gauge =>
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    gauge('messaging_lanes_held', 'Lanes that this process holds: it sends for so many senders.', () => {
      return driver.state.lanes;
    });
    gauge(
      'messaging_lanes_without_lease',
      'Lanes of this process that may not send because their lease could not be renewed in time.',
      () => driver.state.withoutLease,
    );
    gauge(
      'messaging_recipients_waiting',
      'Recipients without an outcome in the unfinished jobs of the lanes of this process, as it last saw them.',
      () => driver.state.waitingRecipients,
    );
    gauge(
      'messaging_lane_sweep_age_seconds',
      'Since this process last searched for lanes with work; 0 where it does not search.',
      () => (driver.state.sweptAgoMs ?? 0) / 1000,
    );
    gauge('messaging_answers_unrecorded', 'Answers of the platform that are not in the database yet.', () => {
      return recorder.pending + singleSends.pending;
    });
  }
}
