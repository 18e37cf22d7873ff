import { ApiProperty } from '@nestjs/swagger';
import { platformProblems } from '../../../infra/http/errors/platform-problems';
import { HALTS, JOB_PAUSES, THROTTLES, type Wait } from '../domain/bulk-job';

/** Why a job waits. */
export class ThrottledDto {
  @ApiProperty({
    description: 'The reason for the wait.',
    enum: Object.keys({ ...THROTTLES, ...HALTS }),
    example: 'messaging_limit_reached',
  })
  reason: Wait['reason'];

  @ApiProperty({
    type: String,
    format: 'date-time',
    example: '2026-01-15T09:30:00.000Z',
    nullable: true,
    description:
      'When, at the latest, the job continues or, if it waits for unknown outcomes, completes; null while it waits for a person.',
  })
  until: string | null;

  static of({ reason, until }: Wait): ThrottledDto {
    return { reason, until: until?.toISOString() ?? null };
  }
}

/** Why a job is paused. */
export class PauseReasonDto {
  @ApiProperty({
    description: 'Stable code; `docs/errors.md` has the cause and the remedy of each.',
    enum: [...new Set([...Object.keys(JOB_PAUSES), ...platformProblems('job')])],
    example: 'template_paused',
  })
  code: string;

  @ApiProperty({
    description: 'What happened and what to do about it.',
    example:
      'Template "order_update" (en_US) is Paused on the platform. The job resumes automatically once the template is Approved again.',
  })
  message: string;
}

/** Why a whole job failed. */
export class BulkJobErrorDto {
  @ApiProperty({ description: 'Stable error code.', example: 'template_disabled' })
  code: string;

  @ApiProperty({
    description: 'What happened and what to do about it.',
    example: 'The platform has disabled the template.',
  })
  message: string;
}
