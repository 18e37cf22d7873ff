import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type Scope, SCOPES } from '../../kernel/caller';
import type { FieldFault } from '../../kernel/domain-error';

/** One fault of one field. */
export class FieldFaultDto implements FieldFault {
  @ApiProperty({ description: 'Path of the field in the request.', example: 'templateParameters[0].text' })
  field: string;

  @ApiProperty({ description: 'Stable name of the fault.', example: 'required' })
  code: string;

  @ApiProperty({ description: 'What to do about it.', example: 'templateParameters[0].text is required.' })
  message: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Of a fault in a file: the row as a spreadsheet program numbers it.',
    example: 17,
  })
  rowNumber?: number;
}

/** Body of every answer that is not a success. */
export class ErrorDto {
  @ApiProperty({ description: 'Reason phrase of the status.', example: 'Bad Request' })
  error: string;

  @ApiProperty({ description: 'What is wrong and what to do.', example: 'to is required.' })
  message: string;

  @ApiProperty({ type: 'integer', description: 'HTTP status.', example: 400 })
  statusCode: number;

  @ApiProperty({ description: 'Stable name of the fault, for programs.', example: 'validation_failed' })
  code: string;

  @ApiProperty({
    description: 'Id of this request, also in the X-Request-Id header.',
    example: 'c1f6d9d8-4d0c-4f0e-9a53-9a2f0a4f3b11',
  })
  requestId: string;

  @ApiPropertyOptional({ description: 'Faults by field, in field order, at most 100.', type: [FieldFaultDto] })
  errors?: FieldFaultDto[];
  @ApiPropertyOptional({ type: 'integer', description: '`rate_limited`: seconds to wait.', example: 1 })
  retryAfter?: number;

  @ApiPropertyOptional({ enum: SCOPES, description: '`missing_scope`: the scope.', example: 'messaging:send' })
  requiredScope?: Scope;

  @ApiPropertyOptional({
    description: '`template_language_not_found`: languages that the template has.',
    type: [String],
    example: ['en_US', 'de'],
  })
  availableLanguages?: string[];

  @ApiPropertyOptional({ description: '`template_not_approved`: its status.', example: 'Pending' })
  templateStatus?: string;

  @ApiPropertyOptional({ type: 'integer', description: '`parameter_mismatch`: values the template takes.', example: 2 })
  expected?: number;

  @ApiPropertyOptional({ type: 'integer', description: '`parameter_mismatch`: values that were given.', example: 1 })
  actual?: number;

  @ApiPropertyOptional({ description: '`invalid_job_state`: the state of the job.', example: 'Completed' })
  currentStatus?: string;

  @ApiPropertyOptional({
    description: '`invalid_job_state`: what can be asked of the job now.',
    type: [String],
    example: [],
  })
  allowedActions?: string[];

  @ApiPropertyOptional({ type: 'integer', description: '`…_too_large`, `too_many_rows`: the limit.', example: 1048576 })
  limit?: number;

  @ApiPropertyOptional({
    description: '`file_unreadable`: what is wrong with the file.',
    enum: ['corrupt', 'encrypted', 'encoding'],
    example: 'encrypted',
  })
  reason?: string;

  @ApiPropertyOptional({ type: 'integer', description: "`platform_rejected`: the platform's code.", example: 131026 })
  platformCode?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: '`template_refused`: what the platform found wrong, where it says so by number.',
    example: 2388299,
  })
  platformSubcode?: number;

  @ApiPropertyOptional({
    description: '`platform_rejected`, and `window_closed` where the platform said so: the message in the history.',
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
  })
  messageId?: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    format: 'date-time',
    description: '`window_closed`: when the window ended; null when the contact has never written.',
    example: '2026-11-20T19:15:00.000Z',
  })
  windowExpiresAt?: string | null;

  @ApiPropertyOptional({
    description: '`contact_phone_taken`: the contact that has the number.',
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12',
  })
  contactId?: string;

  @ApiPropertyOptional({ type: 'integer', description: '`…_rows`: recipients in the file.', example: 1 })
  totalRecipients?: number;

  @ApiPropertyOptional({ type: 'integer', description: '`…_rows`: how many of them are bad.', example: 1 })
  invalidRows?: number;

  @ApiPropertyOptional({ type: 'integer', description: '`…_rows`: rows dropped as duplicates.', example: 0 })
  duplicateRows?: number;
}
