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
} as const;
export type DisabledReason = keyof typeof DISABLED_REASONS;

/** What a client says of an endpoint. */
export interface EndpointFields {
  url: string;
  events: readonly EventType[];
  /** Events in one body, at most: 1 to 100. */
  maxEvents: number;
}

/** Where an account wants to be told what happens. */
export interface WebhookEndpoint extends EndpointFields {
  id: string;
  accountId: string;
  status: EndpointStatus;
  /** Set while it is Disabled. */
  disabledReason: DisabledReason | null;
  /** Since when every delivery has failed; null: the last one arrived, or there was none. */
  failingSince: Date | null;
  /** Until when bodies carry a signature of the secret before, too; null: they do not. */
  previousSecretValidUntil: Date | null;
  createdAt: Date;
  /** The replay that is under way. */
  replay: WebhookReplay | null;
}

/** Delivers again what was delivered, or given up, since a moment. */
export interface WebhookReplay {
  since: Date;
  startedAt: Date;
  /** Bodies so far. */
  replayed: number;
}

/** An endpoint and its secret, which is shown once. */
export interface IssuedEndpoint {
  endpoint: WebhookEndpoint;
  secret: string;
}

/** The webhook-id of body `n` of the bodies that were written together under `key`. */
export function webhookId(key: string, n: number): string {
  return `msg_${key}_${n}`;
}
