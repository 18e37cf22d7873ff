import { CLOSED_CODES } from './error-codes';
import type { DocumentParts } from '../infra/http/openapi/api-document';
import { eventWebhooks } from '../modules/events/adapters/webhook-events.openapi';

/** Parts of the API document that modules contribute in addition to their routes. */
export const DOCUMENT_PARTS: DocumentParts = { codes: CLOSED_CODES, webhooks: eventWebhooks() };
