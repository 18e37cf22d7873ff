/** The result of an attempt. Retrying: failed, and another one follows; Failed: failed, and none follows. */
export const DELIVERY_STATUSES = ['Delivered', 'Retrying', 'Failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One attempt to deliver one body. */
export interface DeliveryAttempt {
  id: string;
  endpointId: string;
  /** Forms the webhook-id together with `body`. */
  key: string;
  body: number;
  /** Types of the events in the body. */
  events: readonly string[];
  /** From 1; 0: a test. */
  attempt: number;
  status: DeliveryStatus;
  /** Null: no response. */
  httpStatus: number | null;
  /** Why it failed; null if it arrived. */
  error: string | null;
  durationMs: number;
  at: Date;
  nextAttemptAt: Date | null;
}

/** An attempt in the log, with its body while that is kept. */
export interface LoggedDelivery extends DeliveryAttempt {
  payload: string | null;
}
