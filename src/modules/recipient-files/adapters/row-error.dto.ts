import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ROW_CODES, type RowError } from '../domain/recipient-files.errors';

/** An error in one row of an upload. */
export class RowErrorDto implements RowError {
  @ApiProperty({ type: 'integer', description: 'Row number as in a spreadsheet, header included.', example: 17 })
  rowNumber: number;

  @ApiProperty({
    description: '`phone`, `parameter n`, `name` of a contact, or a field of `columns` such as `headerMediaUrl`.',
    example: 'phone',
  })
  field: string;

  @ApiProperty({ description: 'Stable name of the error.', enum: ROW_CODES, example: 'phone_invalid' })
  code: RowError['code'];

  @ApiProperty({ description: 'What to do about it.', example: 'Write the number in international format.' })
  message: string;

  @ApiPropertyOptional({
    description:
      'The cells of the row, as in the file; only in dry runs of `POST /bulk-import-messages`, and of imports of contacts with `columns`.',
    type: [String],
    example: ['0151', 'Anna', '4711'],
  })
  cells?: string[];

  @ApiPropertyOptional({
    description: 'The name of the contact, else its number or user id; only in dry runs of sends to groups.',
    example: 'Anna',
  })
  person?: string;
}
