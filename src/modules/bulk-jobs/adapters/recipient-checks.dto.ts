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

  @ApiProperty({ type: 'integer', description: 'Number of rows with this error.', example: 12 })
  count: number;
}

/** A recipient as it would be sent to. */
export class SampleRecipientDto implements SampleRecipient {
  @ApiProperty({ type: 'integer', description: 'Row number as in a spreadsheet, header included.', example: 2 })
  rowNumber: number;

  @ApiProperty({ description: 'Phone number.', example: '4915123456789' })
  phone: string;

  @ApiProperty({ description: 'Placeholder values, in order.', type: [String], example: ['Anna', '4711'] })
  parameters: string[];

  @ApiProperty({ description: 'The text of the message.', example: 'Hello Anna, your order 4711 is on its way.' })
  renderedText: string;
}

/** When a job would be sent. */
export class SendPlanDto {
  @ApiProperty({
    type: 'integer',
    description: 'Recipients who would count towards the messaging tier: those not messaged in the last 24 hours.',
    example: 99_000,
  })
  newConversations: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Number of people the messaging tier still allows now; null: the tier is unlimited.',
    example: 100_000,
  })
  tierRoom: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      "Seconds from `startsAt` until the last message is sent, at the sender's current rate, including other jobs of " +
      'the sender and waits for the messaging tier and the send window; null while sending is paused, and for more ' +
      'than a year.',
    example: 1238,
  })
  estimatedSeconds: number | null;

  @ApiProperty({ ...TIME, description: 'When sending would start, by schedule and send window.' })
  startsAt: string;

  @ApiProperty({
    ...TIME,
    nullable: true,
    example: '2026-01-15T09:50:38.000Z',
    description: '`startsAt` plus `estimatedSeconds`; null if that is null.',
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

  @ApiProperty({ description: 'Invalid rows.', type: 'integer', example: 12 })
  invalidRows: number;

  @ApiProperty({ description: 'Rows that would be dropped as duplicates.', type: 'integer', example: 3 })
  duplicateRows: number;

  @ApiProperty({ description: 'Corrections that were made while reading the rows.', type: [String], example: [] })
  warnings: string[];

  @ApiProperty({ type: [RowErrorDto], description: 'The first 100 errors.' })
  errors: RowErrorDto[];

  @ApiProperty({ type: [ErrorCountDto], description: 'All errors by code, most frequent first.' })
  errorsByCode: ErrorCountDto[];

  @ApiProperty({ type: [SampleRecipientDto], description: 'The first 20 valid recipients.' })
  sample: SampleRecipientDto[];

  @ApiProperty({
    type: 'integer',
    description: 'Valid recipients who opted out and would be skipped.',
    example: 4,
  })
  optedOut: number;

  @ApiProperty({ type: SendPlanDto, description: 'When the valid recipients would be sent to.' })
  plan: SendPlanDto;

  static of(check: RecipientCheck): RecipientCheckDto {
    return { ...check, plan: SendPlanDto.of(check.plan) };
  }
}

/** What a column of a file is used for. */
export class FileColumnDto implements FileColumn {
  @ApiProperty({ description: 'Column name as in a spreadsheet.', example: 'B' })
  column: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Header of the column; null if there is none.',
    example: 'name',
  })
  header: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: '`phone`, or the template value that the column fills; null: unused.',
    example: 'value 1 (body {{1}})',
  })
  use: string | null;
}

/** What an upload would become; nothing was created. */
export class FileCheckDto extends RecipientCheckDto {
  @ApiProperty({ type: [FileColumnDto], description: 'Columns of the file, in order.' })
  columns: FileColumnDto[];

  static override of(check: FileCheck): FileCheckDto {
    return { ...check, plan: SendPlanDto.of(check.plan) };
  }
}
