import type { EventType } from './event';

export const ENDPOINT_STATUSES = ['Enabled', 'Disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** Why an endpoint is disabled. */
export const DISABLED_REASONS = {
  disabled_by_client: { when: 'A client disabled it.', remedy: 'Enable it again.' },
  endpoint_gone: { when: 'It returned 410.', remedy: 'Enable it again when it accepts events.' },
  secret_unreadable: {
    when: 'The service lost the key that its secret was encrypted with.',
    remedy: 'Rotate its secret with `POST /webhook-endpoints/{endpointId}/rotate-secret`, then enable it again.',
  },
  endpoint_failing: {
    when: 'Nothing has arrived there for 5 days.',
    remedy: 'Find the cause with `POST /webhook-endpoints/{endpointId}/test`, then enable it again.',
  },
  backlog_full: {
    when: 'As many events waited for it as the plan allows (`maxWaitingEvents`).',
    remedy: 'Answer faster or raise `maxEvents`, then enable it again: what waits is delivered and no longer counts.',
  },
} as const;
export type DisabledReason = keyof typeof DISABLED_REASONS;

/** The fields of an endpoint that clients set. */
export interface EndpointFields {
  url: string;
  events: readonly EventType[];
  /** Maximum number of events per body: 1 to 100. */
  maxEvents: number;
}

/** An endpoint of an account that receives events. */
export interface WebhookEndpoint extends EndpointFields {
  id: string;
  accountId: string;
  status: EndpointStatus;
  /** Set while it is Disabled. */
  disabledReason: DisabledReason | null;
  /** Since when every delivery has failed; null: the last one succeeded, or there was none. */
  failingSince: Date | null;
  /** Until when bodies are also signed with the previous secret; null: they are not. */
  previousSecretValidUntil: Date | null;
  createdAt: Date;
  /** The running replay. */
  replay: WebhookReplay | null;
}

/** A redelivery of events that were first delivered or finally failed since `since`. */
export interface WebhookReplay {
  since: Date;
  startedAt: Date;
  /** Number of bodies queued again so far. */
  replayed: number;
}

/** An endpoint and its secret, which is shown once. */
export interface IssuedEndpoint {
  endpoint: WebhookEndpoint;
  secret: string;
}

/** The webhook-id of body `n` of the bodies written together under `key`. */
export function webhookId(key: string, n: number): string {
  return `msg_${key}_${n}`;
}
