import { ApiProperty } from '@nestjs/swagger';
import type { BulkJob, JobAudience } from '../domain/bulk-job';

/** Whom a group send addressed. */
export class JobAudienceDto implements JobAudience {
  @ApiProperty({
    type: [String],
    format: 'uuid',
    description: 'The groups; each contact got one message.',
    example: ['0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12'],
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
