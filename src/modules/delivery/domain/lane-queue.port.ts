/** Knocks: hints that a sender may have work. They carry no truth; lost and repeated ones do no harm. */
export abstract class LaneQueue {
  /** Says to some worker that this sender may have work. Never throws and never waits for long. */
  abstract knock(senderId: string): void;
  /** Calls `handler` for each knock that reaches this process. */
  abstract onKnock(handler: (senderId: string) => void): void;
  /** No further knocks are taken or given. */
  abstract close(): Promise<void>;
}
