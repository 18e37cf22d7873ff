import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { personByKey } from '../../groups/domain/opt-out';
import { type JobRecipient, RECIPIENT_STATUSES, type RecipientStatus } from '../domain/job-recipient';

const TIME = { type: String, format: 'date-time', example: '2026-01-15T09:30:00.000Z' };
const UUID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';

/** One recipient of a job. */
export class JobRecipientDto {
  @ApiProperty({ type: 'integer', description: 'Row number as in a spreadsheet.', example: 17 })
  rowNumber: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Phone number; null: only `userId` is known; for an invalid row, as written in the file.',
    example: '4915123456789',
  })
  phone: string | null;

  @ApiPropertyOptional({
    description: "The platform's id of the recipient, if it was given.",
    example: 'US.13491208655302741918',
  })
  userId?: string;

  @ApiProperty({
    description: 'Placeholder values, in order.',
    type: [String],
    example: ['Anna', '4711'],
  })
  parameters: string[];

  @ApiProperty({ description: 'Status of this recipient.', enum: RECIPIENT_STATUSES, example: 'Sent' })
  status: RecipientStatus;

  @ApiProperty({ type: String, nullable: true, description: 'Stable error code.', example: null })
  errorCode: string | null;

  @ApiProperty({ description: 'Error message for people.', type: String, nullable: true, example: null })
  errorMessage: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: "The platform's error code.", example: null })
  platformCode: number | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Id of the message; null before the first attempt.',
    example: UUID,
  })
  messageId: string | null;

  @ApiProperty({
    description: "The platform's id of the message; null until it has accepted the message.",
    type: String,
    nullable: true,
    example: 'wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjA',
  })
  platformMessageId: string | null;

  @ApiProperty({ description: 'Number of requests to the platform for this recipient.', type: 'integer', example: 1 })
  attempts: number;

  @ApiProperty({ ...TIME, description: 'When its status last changed.' })
  updatedAt: string;

  static from(recipient: JobRecipient): JobRecipientDto {
    const { rowNumber, parameters, status, errorCode, errorMessage, platformCode } = recipient;
    const { phone, userId } = personByKey(recipient.person, recipient.userId);
    const { messageId, platformMessageId, attempts, updatedAt } = recipient;
    const outcome = { status, errorCode, errorMessage, platformCode, messageId, platformMessageId, attempts };
    return {
      rowNumber,
      phone,
      ...(userId !== null && { userId }),
      parameters,
      ...outcome,
      updatedAt: updatedAt.toISOString(),
    };
  }
}
