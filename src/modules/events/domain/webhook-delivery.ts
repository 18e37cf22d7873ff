/** What became of an attempt: Retrying is one that failed and is followed by another, Failed one that is not. */
export const DELIVERY_STATUSES = ['Delivered', 'Retrying', 'Failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One attempt to deliver one body. */
export interface DeliveryAttempt {
  id: string;
  endpointId: string;
  /** With `body` it makes the webhook-id. */
  key: string;
  body: number;
  /** Types of the events in the body. */
  events: readonly string[];
  /** From 1; 0: a test. */
  attempt: number;
  status: DeliveryStatus;
  /** Null: no answer. */
  httpStatus: number | null;
  /** Why it failed; null if it arrived. */
  error: string | null;
  durationMs: number;
  at: Date;
  nextAttemptAt: Date | null;
}

/** An attempt in the log, with the body while that is kept. */
export interface LoggedDelivery extends DeliveryAttempt {
  payload: string | null;
}
