import { CLOSED_CODES } from './error-codes';
import type { DocumentParts } from './infra/http/api-document';
import { eventWebhooks } from './modules/events/adapters/webhook-events.openapi';

/** What the modules know of the API document beyond their routes. */
export const DOCUMENT_PARTS: DocumentParts = { codes: CLOSED_CODES, webhooks: eventWebhooks() };
