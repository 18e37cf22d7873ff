/**
 * The exports of the package. Inside this repository, import the defining files instead.
 * @module
 */
export type { CallOptions, InputOf, MessagingClientOptions, Operation, OutputOf, Retry } from './calls';
export {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  MessagingError,
  type MessagingErrorCode,
  NotFoundError,
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
  WebhookVerificationError,
} from './errors';
export type { FileSource } from './file-source';
export * as operations from './generated/sdk.gen';
export type * from './generated/types.gen';
export { isOver, type JobProgress } from './job-events';
export type { WaitOptions } from './job-wait';
export { type ContactFile, type GroupSendOptions, type ImportOptions, MessagingClient } from './messaging-client';
export { type TestEvent, verifyWebhook, type WebhookEvent, type WebhookRequest } from './webhooks';
