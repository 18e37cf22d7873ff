import type { ClosedCodes } from './infra/http/api-document-completion';
import { MESSAGE_CODES } from './infra/http/message-codes';
import { FIELD_PROBLEMS } from './kernel/field-problems';
import { JOB_FAILURES } from './modules/delivery/domain/job-stop';
import { REFUSED_FIELDS } from './modules/templates/domain/authoring.errors';

/** Codes of fields of a template that the platform found wrong. */
export const FIELD_CODES_OF_PLATFORM = Object.keys(REFUSED_FIELDS);

/** The codes of several modules together, by the schema and the property of the API document that tells them. */
export const CLOSED_CODES: ClosedCodes = {
  JobFailureDto: { errorCode: MESSAGE_CODES },
  ErrorCodeCountDto: { errorCode: MESSAGE_CODES },
  FieldErrorDto: { code: [...Object.keys(FIELD_PROBLEMS), ...FIELD_CODES_OF_PLATFORM] },
  JobRecipientDto: { errorCode: MESSAGE_CODES },
  MessageErrorDto: { code: MESSAGE_CODES },
  MessageEventDetailDto: { errorCode: MESSAGE_CODES },
  BulkJobErrorDto: { code: Object.keys(JOB_FAILURES) },
};
