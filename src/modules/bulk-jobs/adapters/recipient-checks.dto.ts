import { ApiProperty } from '@nestjs/swagger';
import { RowErrorDto } from '../../recipient-files/adapters/row-error.dto';
import { ROW_CODES, type RowError } from '../../recipient-files/domain/recipient-files.errors';
import type { FileCheck, FileColumn } from '../domain/file-imports.service';
import type { RecipientCheck, SampleRecipient, SendPlan } from '../domain/recipient-checks.service';

const TIME = { type: String, format: 'date-time', example: '2026-01-15T09:30:00.000Z' };

/** How many rows have one error. */
export class ErrorCountDto {
  @ApiProperty({ description: 'Stable name of the error.', enum: ROW_CODES, example: 'phone_invalid' })
  code: RowError['code'];

  @ApiProperty({ type: 'integer', description: 'Rows with this error.', example: 12 })
  count: number;
}

/** A recipient as it would be sent to. */
export class SampleRecipientDto implements SampleRecipient {
  @ApiProperty({ type: 'integer', description: 'As a spreadsheet program numbers it, header included.', example: 2 })
  rowNumber: number;

  @ApiProperty({ description: 'Phone number.', example: '4915123456789' })
  phone: string;

  @ApiProperty({ description: 'The values of the placeholders, in order.', type: [String], example: ['Anna', '4711'] })
  parameters: string[];

  @ApiProperty({ description: 'The text of the message.', example: 'Hello Anna, your order 4711 is on its way.' })
  renderedText: string;
}

/** When a job would be sent. */
export class SendPlanDto {
  @ApiProperty({
    type: 'integer',
    description: 'People who would count towards the messaging tier: those not written to in the last 24 hours.',
    example: 99_000,
  })
  newConversations: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'People that the messaging tier has room for now; null: the tier is unlimited.',
    example: 100_000,
  })
  tierRoom: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Seconds from `startsAt` until the last message leaves, at the present rate of the sender, with the turns of its other jobs and the waits for its messaging tier and the send window; null while sending is paused, and for more than a year.',
    example: 1238,
  })
  estimatedSeconds: number | null;

  @ApiProperty({ ...TIME, description: 'When sending would begin, by its schedule and its send window.' })
  startsAt: string;

  @ApiProperty({
    ...TIME,
    nullable: true,
    example: '2026-01-15T09:50:38.000Z',
    description: '`estimatedSeconds` later; null as it is.',
  })
  endsAt: string | null;

  static of({ startsAt, endsAt, ...plan }: SendPlan): SendPlanDto {
    return { ...plan, startsAt: startsAt.toISOString(), endsAt: endsAt?.toISOString() ?? null };
  }
}

/** What a send would become; nothing was created. */
export class RecipientCheckDto {
  @ApiProperty({
    description: 'All recipients, including invalid rows and excluding duplicates.',
    type: 'integer',
    example: 100000,
  })
  totalRecipients: number;

  @ApiProperty({ description: 'Rows that could not be sent to.', type: 'integer', example: 12 })
  invalidRows: number;

  @ApiProperty({ description: 'Rows that would be dropped as duplicates.', type: 'integer', example: 3 })
  duplicateRows: number;

  @ApiProperty({ description: 'Corrections that were made while reading the rows.', type: [String], example: [] })
  warnings: string[];

  @ApiProperty({ type: [RowErrorDto], description: 'The first 100 errors.' })
  errors: RowErrorDto[];

  @ApiProperty({ type: [ErrorCountDto], description: 'All errors by code, the most frequent first.' })
  errorsByCode: ErrorCountDto[];

  @ApiProperty({ type: [SampleRecipientDto], description: 'The first 20 recipients that can be sent to.' })
  sample: SampleRecipientDto[];

  @ApiProperty({
    type: 'integer',
    description: 'Valid recipients who have opted out and would be skipped.',
    example: 4,
  })
  optedOut: number;

  @ApiProperty({ type: SendPlanDto, description: 'When the others would be sent to.' })
  plan: SendPlanDto;

  static of(check: RecipientCheck): RecipientCheckDto {
    return { ...check, plan: SendPlanDto.of(check.plan) };
  }
}

/** What a column of a file is used for. */
export class FileColumnDto implements FileColumn {
  @ApiProperty({ description: 'As a spreadsheet program names it.', example: 'B' })
  column: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Its header; null if the file has no header row, or none for this column.',
    example: 'name',
  })
  header: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: '`phone`, or the value of the template that it fills; null if it has no use.',
    example: 'value 1 (body {{1}})',
  })
  use: string | null;
}

/** What an upload would become; nothing was created. */
export class FileCheckDto extends RecipientCheckDto {
  @ApiProperty({ type: [FileColumnDto], description: 'The columns of the file, from the first one on.' })
  columns: FileColumnDto[];

  static override of(check: FileCheck): FileCheckDto {
    return { ...check, plan: SendPlanDto.of(check.plan) };
  }
}
