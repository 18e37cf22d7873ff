/** Log lines and metrics of deliveries. */
export abstract class EventTelemetry {
  /** An attempt ended; `lagMs` since the event, for a first attempt. */
  abstract attempted(arrived: boolean, durationMs: number, lagMs: number | null): void;
  /** An endpoint failed repeatedly and now gets single deliveries only. */
  abstract unreachable(endpoint: { id: string; accountId: string }, reason: string): void;
  /** An unreachable endpoint accepted a delivery. */
  abstract recovered(endpoint: { id: string; accountId: string }): void;
  abstract disabled(endpoint: { id: string; accountId: string }, reason: string): void;
  /** The delivery work failed for a reason other than an endpoint. */
  abstract failed(error: Error): void;
}
