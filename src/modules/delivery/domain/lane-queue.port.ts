/** Wake-ups: hints that a sender may have work. Losing or repeating one is harmless. */
export abstract class LaneQueue {
  /** Wakes up a worker for a sender that may have work. Never throws or blocks. */
  abstract wake(senderId: string): void;
  /** Calls `handler` for each wake-up received by this process. */
  abstract onWake(handler: (senderId: string) => void): void;
  /** Stops sending and receiving wake-ups. */
  abstract close(): Promise<void>;
}
