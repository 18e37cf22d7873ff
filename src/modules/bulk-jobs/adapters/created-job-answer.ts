import { Logger } from '@nestjs/common';
import type { Answer } from '../../../infra/http/answer';
import type { PresentState } from '../../../infra/http/idempotency/idempotent.decorator';
import type { BulkJobsService } from '../domain/bulk-jobs.service';
import type { CreatedJob } from '../domain/job-intake';
import type { CreatedJobDto } from './bulk-sends.dto';

/** Converts a created job to a response body. */
interface CreatedShape {
  from(created: CreatedJob): CreatedJobDto;
}

const logger = new Logger('BulkJobs');

/** The header of every response with a created job, for the OpenAPI document. */
export const LOCATION = {
  Location: { description: "Path of the job's progress.", schema: { type: 'string' as const } },
};

/** Responds 202 with the created job, and logs it. */
export function accepted(shape: CreatedShape, created: CreatedJob): Answer {
  const { id: jobId, accountId, kind, templateName, totalRecipients: recipients } = created.job;
  logger.log({ message: `Job ${jobId} accepted`, jobId, accountId, kind, templateName, recipients });
  return answerWith(shape, created);
}

function answerWith(shape: CreatedShape, created: CreatedJob): Answer {
  const body = shape.from(created);
  return { statusCode: 202, body, headers: { Location: body.statusUrl } };
}

/** Responds 202 with the current state of the job. */
export function presentJob(shape: CreatedShape): PresentState<{ jobs: BulkJobsService }> {
  return async ({ jobs }, { accountId, resourceId }) => {
    const job = await jobs.find(accountId, resourceId);
    return job && answerWith(shape, { job, warnings: [] });
  };
}
