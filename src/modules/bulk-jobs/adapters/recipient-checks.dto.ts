import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { RowErrorDto } from '../../recipient-files/adapters/row-error.dto';
import { ROW_CODES, type RowError } from '../../recipient-files/domain/recipient-files.errors';
import type { FileCheck } from '../domain/file-imports.service';
import type { RecipientCheck, SampleRecipient, SendPlan } from '../domain/recipient-checks';
import { FileColumnDto } from '../../recipient-files/adapters/file-columns.dto';
import { SuggestedColumnsDto } from './file-columns.dto';
import { ListRecipientDto } from './list-sends.dto';

const TIME = { type: String, format: 'date-time', example: '2026-01-15T09:30:00.000Z' };

/** How many rows have one error. */
export class ErrorCountDto {
  @ApiProperty({ description: 'Stable name of the error.', enum: ROW_CODES, example: 'phone_invalid' })
  code: RowError['code'];

  @ApiProperty({ type: 'integer', description: 'Number of rows with this error.', example: 12 })
  count: number;
}

/** What a recipient has of its own, as in a request. */
export class SampleExtrasDto extends PickType(ListRecipientDto, [
  'headerMediaId',
  'headerMediaUrl',
  'headerMediaFileName',
  'quickReplyPayloads',
  'flowToken',
  'cards',
]) {}

/** A recipient with its rendered message. */
export class SampleRecipientDto implements SampleRecipient {
  @ApiProperty({ type: 'integer', description: 'Row number as in a spreadsheet, header included.', example: 2 })
  rowNumber: number;

  @ApiProperty({
    description: 'Phone number; null: only the user id is known.',
    type: String,
    nullable: true,
    example: '4915123456789',
  })
  phone: string | null;

  @ApiPropertyOptional({ description: 'User id, if it was given.', example: 'US.13491208655302741918' })
  userId?: string;

  @ApiProperty({ description: 'Placeholder values, in order.', type: [String], example: ['Anna', '4711'] })
  parameters: string[];

  @ApiPropertyOptional({
    type: SampleExtrasDto,
    description: 'Header media, payloads, flow token and cards of this recipient; absent: those of the request apply.',
  })
  extras?: SampleExtrasDto;

  @ApiProperty({ description: 'The text of the message.', example: 'Hello Anna, your order 4711 is on its way.' })
  renderedText: string;

  @ApiPropertyOptional({
    description: '`true`: the person has opted out and would be skipped. Absent otherwise.',
    enum: [true],
    type: Boolean,
    example: true,
  })
  optedOut?: true;
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

/** Preview of a send; nothing is created. */
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

  @ApiProperty({
    description:
      'Corrections that were made while reading the rows; `other_sheets: …`, `header_row: …` and `cell_language: …` as for `sheet`, `headerRow` and `cellLanguage`; columns with dates that may be ' +
      'read as another day; `repeated_people: …` if people with several rows of different contents would get several messages.',
    type: [String],
    example: [],
  })
  warnings: string[];

  @ApiProperty({ type: [RowErrorDto], description: 'The first 100 errors.' })
  errors: RowErrorDto[];

  @ApiProperty({ type: [ErrorCountDto], description: 'All errors by code, most frequent first.' })
  errorsByCode: ErrorCountDto[];

  @ApiProperty({ type: [SampleRecipientDto], description: 'The first 20 valid recipients, including `optedOut` ones.' })
  sample: SampleRecipientDto[];

  @ApiProperty({
    type: 'integer',
    description: 'Valid recipients who opted out and would be skipped.',
    example: 4,
  })
  optedOut: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Contacts or rows left out by `excludeGroupIds` or `notReachedBy`; absent without both.',
    example: 0,
  })
  leftOut?: number;

  @ApiProperty({ type: SendPlanDto, description: 'When the valid recipients would be sent to.' })
  plan: SendPlanDto;

  static of(check: RecipientCheck): RecipientCheckDto {
    return { ...check, plan: SendPlanDto.of(check.plan) };
  }
}

/** Preview of an import; nothing is created. */
export class FileCheckDto extends RecipientCheckDto {
  @ApiProperty({ type: [FileColumnDto], description: 'Columns of the file, in order.' })
  columns: FileColumnDto[];

  @ApiPropertyOptional({
    type: SuggestedColumnsDto,
    description:
      'With `columns=auto`: the guessed columns. The other fields are those of a file read by them; if some were not found, their values are empty and `warnings` names them.',
  })
  suggestedColumns?: SuggestedColumnsDto;

  static override of(check: FileCheck): FileCheckDto {
    return { ...check, plan: SendPlanDto.of(check.plan) };
  }
}
