import type { TrafficMark } from './traffic-marks';

/** What all processes have seen of one sender. */
export interface SenderTrafficState extends TrafficMark {
  phoneNumberId: string;
}

/** What leaves and what is reported of each sender, over all processes. */
export abstract class TrafficStore {
  /** Adds the marks of one process; those of senders that are gone are dropped. */
  abstract add(marks: readonly TrafficMark[]): Promise<void>;
  /** Of every sender of which anything is known. */
  abstract all(): Promise<SenderTrafficState[]>;
}
