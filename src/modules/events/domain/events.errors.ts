import { domainError } from '../../../kernel/domain-error';

export class WebhookEndpointNotFoundError extends domainError({
  code: 'webhook_endpoint_not_found',
  kind: 'not_found',
  when: 'The account has no webhook endpoint with this id.',
  remedy: 'Check the id against `GET /webhook-endpoints`.',
}) {
  constructor() {
    super('No webhook endpoint has this id.');
  }
}

export class WebhookDeliveryNotFoundError extends domainError({
  code: 'webhook_delivery_not_found',
  kind: 'not_found',
  when: 'The account has no webhook delivery with this id; deliveries are kept for 30 days.',
  remedy: 'Check the id against `GET /webhook-endpoints/{endpointId}/deliveries`.',
}) {
  constructor() {
    super('No webhook delivery has this id. Deliveries are kept for 30 days.');
  }
}

export class ReplayInProgressError extends domainError({
  code: 'replay_in_progress',
  kind: 'conflict',
  when: 'A replay of this webhook endpoint is still running.',
  remedy: 'Wait until `replay` of `GET /webhook-endpoints/{endpointId}` is null.',
}) {
  constructor() {
    super('A replay of this webhook endpoint is in progress. Wait until `replay` of the endpoint is null.');
  }
}

export class DeliveryBodyExpiredError extends domainError({
  code: 'webhook_body_expired',
  kind: 'conflict',
  when: 'The delivery is older than 7 days; its body has been deleted.',
  remedy: 'Read the current state instead, for example with `GET /messages`.',
}) {
  constructor() {
    super('The body of this delivery was deleted: bodies are kept for 7 days. Read the current state instead.');
  }
}
