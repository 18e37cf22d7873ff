import type { CreationClaim } from '../../../infra/http/idempotency/idempotency-keys';
import type { KeptAnswer } from '../../../infra/http/idempotency/kept-answer';
import type { CreatedJob } from '../domain/job-source';
import type { CreatedJobDto } from './bulk-sends.dto';

/** How an endpoint shows the job that it has made. */
export interface CreatedShape {
  from(created: CreatedJob): CreatedJobDto;
}

/** The header that every answer about a created job has, for the OpenAPI document. */
export const LOCATION = {
  Location: { description: 'Where the progress can be read.', schema: { type: 'string' as const } },
};

/** Keeps the answer in the transaction that creates the job. */
export async function keepIn(
  claim: CreationClaim,
  shape: CreatedShape,
  create: (created: (job: CreatedJob) => Promise<void>) => Promise<unknown>,
): Promise<KeptAnswer> {
  let answer = null as KeptAnswer | null;
  await create(async (job) => {
    answer = accepted(shape, job);
    await claim.seal(answer);
  });
  return answer!;
}

/** 202 with the job, kept for whoever repeats the request. */
export function accepted(shape: CreatedShape, created: CreatedJob): KeptAnswer {
  const body = shape.from(created);
  return { statusCode: 202, body, headers: { Location: body.statusUrl }, keep: true };
}
