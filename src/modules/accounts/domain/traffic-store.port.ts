import type { TrafficMark } from './traffic-marks';

/** Traffic of one sender in all processes. */
export interface SenderTrafficState extends TrafficMark {
  phoneNumberId: string;
}

/** Stores the traffic of senders in all processes. */
export abstract class TrafficStore {
  /** Adds the marks of one process; those of deleted senders are dropped. */
  abstract add(marks: readonly TrafficMark[]): Promise<void>;
  /** The states of the senders that have sent since this time or have unreported messages. */
  abstract recent(since: Date): Promise<SenderTrafficState[]>;
}
