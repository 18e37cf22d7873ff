import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, IsUUID, ValidateBy } from 'class-validator';
import type { BulkJob, JobAudience } from '../domain/bulk-job';

/** Maximum number of groups in a list. */
const MAX_GROUPS = 20;
/** Maximum number of earlier jobs. */
const MAX_JOBS = 10;
const JOB_ID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';
const UUID = { type: 'string', format: 'uuid' };
/** One job, or several. */
const JOBS = [UUID, { type: 'array', items: UUID, maxItems: MAX_JOBS }];
/** An example. */
export const GROUP_ID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12';

/** A list of groups. */
export const GroupIdsField = (description: string, atLeast: number) => (target: object, key: string) => {
  ApiPropertyOptional({
    description,
    type: [String],
    format: 'uuid',
    minItems: atLeast,
    maxItems: MAX_GROUPS,
    example: [GROUP_ID],
  })(target, key);
  IsOptional()(target, key);
  IsArray()(target, key);
  ArrayMinSize(atLeast)(target, key);
  ArrayMaxSize(MAX_GROUPS)(target, key);
  IsUUID('loose', { each: true })(target, key);
};

/** Earlier jobs whose people are left out: one, or a list. */
export const NotReachedByField = () => (target: object, key: string) => {
  ApiPropertyOptional({
    oneOf: JOBS,
    description:
      `Id of an earlier job, or a list of up to ${MAX_JOBS}: leaves out everybody whom one of them reached, who is still waiting in it, or for ` +
      'whom its outcome is unknown, and those of its retries. Messages that were not delivered did not reach their recipients.',
    example: JOB_ID,
  })(target, key);
  IsOptional()(target, key);
  ValidateBy({
    name: 'arrayMaxSize',
    validator: {
      validate: (value: unknown) => !Array.isArray(value) || value.length <= MAX_JOBS,
      defaultMessage: () => `$property must contain no more than ${MAX_JOBS} elements`,
    },
  })(target, key);
  IsUUID('loose', { each: true })(target, key);
};

/** Each group once. */
export function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

/** Each job once: the only one by itself; null: none. */
export function distinctJobs(given: string | readonly string[]): string | string[] | null {
  const ids = distinct([given].flat());
  return ids.length > 1 ? ids : (ids[0] ?? null);
}

/** Whom a job addressed. */
export class JobAudienceDto implements JobAudience {
  @ApiProperty({
    type: [String],
    format: 'uuid',
    description: 'The groups; each contact got one message. Empty: the recipients are those of a file or list.',
    example: [GROUP_ID],
  })
  groupIds: string[];

  @ApiProperty({ type: [String], format: 'uuid', description: 'Groups whose contacts were left out.', example: [] })
  excludeGroupIds: string[];

  @ApiProperty({
    oneOf: JOBS,
    nullable: true,
    description: 'The job whose recipients were left out where it reached them; a list if there were several.',
    example: null,
  })
  notReachedBy: string | string[] | null;

  static of({ audience, groupId }: BulkJob): JobAudienceDto | null {
    if (audience !== null || groupId === null) return audience;
    return { groupIds: [groupId], excludeGroupIds: [], notReachedBy: null };
  }
}
