/** Wake-ups: hints that a sender may have work. They carry no truth; lost and repeated ones do no harm. */
export abstract class LaneQueue {
  /** Tells some worker that this sender may have work. Never throws and never waits for long. */
  abstract wake(senderId: string): void;
  /** Calls `handler` for each wake-up that reaches this process. */
  abstract onWake(handler: (senderId: string) => void): void;
  /** No further wake-ups are received or sent. */
  abstract close(): Promise<void>;
}
