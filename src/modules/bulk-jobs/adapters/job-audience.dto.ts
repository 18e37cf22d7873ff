import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, IsUUID } from 'class-validator';
import type { BulkJob, JobAudience } from '../domain/bulk-job';

/** Maximum number of groups in a list. */
const MAX_GROUPS = 20;
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

/** An earlier job whose people are left out. */
export const NotReachedByField = () => (target: object, key: string) => {
  ApiPropertyOptional({
    format: 'uuid',
    description:
      'Id of an earlier job: leaves out everybody whom it reached, who is still waiting in it, or for whom its outcome is unknown. ' +
      'Messages that were not delivered did not reach their recipients. Retries of the job are jobs of their own.',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
  })(target, key);
  IsOptional()(target, key);
  IsUUID('loose')(target, key);
};

/** Each group once. */
export function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
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
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The job whose recipients were left out where it reached them.',
    example: null,
  })
  notReachedBy: string | null;

  static of({ audience, groupId }: BulkJob): JobAudienceDto | null {
    if (audience !== null || groupId === null) return audience;
    return { groupIds: [groupId], excludeGroupIds: [], notReachedBy: null };
  }
}
