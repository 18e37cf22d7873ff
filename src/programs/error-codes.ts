import type { ClosedCodes } from '../infra/http/openapi/api-document-completion';
import { MESSAGE_CODES } from '../infra/http/errors/message-codes';
import { FIELD_PROBLEMS } from '../kernel/field-problems';
import { JOB_FAILURES } from '../modules/delivery/domain/job-stop';
import { REFUSED_FIELDS } from '../modules/templates/domain/authoring.errors';

/** Codes of template fields refused by the platform. */
export const FIELD_CODES_OF_PLATFORM = Object.keys(REFUSED_FIELDS);

/** Codes that span modules, by schema and property of the API document. */
export const CLOSED_CODES: ClosedCodes = {
  JobFailureDto: { errorCode: MESSAGE_CODES },
  ErrorCodeCountDto: { errorCode: MESSAGE_CODES },
  FieldErrorDto: { code: [...Object.keys(FIELD_PROBLEMS), ...FIELD_CODES_OF_PLATFORM] },
  JobRecipientDto: { errorCode: MESSAGE_CODES },
  MessageErrorDto: { code: MESSAGE_CODES },
  MessageEventDetailDto: { errorCode: MESSAGE_CODES },
  BulkJobErrorDto: { code: Object.keys(JOB_FAILURES) },
};
