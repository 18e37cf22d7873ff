/** What operators are told of deliveries. */
export abstract class EventTelemetry {
  /** An attempt ended; `lagMs` since the event, for a first attempt. */
  abstract attempted(arrived: boolean, durationMs: number, lagMs: number | null): void;
  /** Failures in a row: from now on single deliveries are tried. */
  abstract unreachable(endpoint: { id: string; accountId: string }, reason: string): void;
  /** It takes deliveries again. */
  abstract back(endpoint: { id: string; accountId: string }): void;
  abstract disabled(endpoint: { id: string; accountId: string }, reason: string): void;
  /** Work on deliveries failed, for a reason that no endpoint has. */
  abstract failed(error: Error): void;
}
