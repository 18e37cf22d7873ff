import { knownPlatformProblems } from './infra/cloud-api/error-table';
import type { ClosedCodes } from './infra/http/api-document-completion';
import { ERASED_RECIPIENT } from './modules/bulk-jobs/domain/job-recipient';
import { JOB_FAILURES } from './modules/delivery/domain/job-stop';
import { ROW_PROBLEMS } from './modules/recipient-files/adapters/row-problems';
import { SEND_PROBLEMS } from './modules/sending/domain/send-state';

/** Why a message or a recipient of a job failed, where this service found the problem. */
export const OWN_PROBLEMS = { ...ROW_PROBLEMS, ...SEND_PROBLEMS, ...ERASED_RECIPIENT };

const MESSAGE_CODES = [
  ...new Set([...Object.keys(OWN_PROBLEMS), ...knownPlatformProblems().map(({ problem }) => problem)]),
].sort();

/** The codes of several modules together, by the schema and the property of the API document that tells them. */
export const CLOSED_CODES: ClosedCodes = {
  JobRecipientDto: { errorCode: MESSAGE_CODES },
  MessageErrorDto: { code: MESSAGE_CODES },
  RowErrorDto: { code: [...Object.keys(ROW_PROBLEMS), 'name_invalid', 'text_too_long'] },
  BulkJobErrorDto: { code: Object.keys(JOB_FAILURES) },
};
