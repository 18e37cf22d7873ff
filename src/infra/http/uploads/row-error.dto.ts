import { ApiProperty } from '@nestjs/swagger';

/** An error in one row of an upload. */
export class RowErrorDto {
  @ApiProperty({ type: 'integer', description: 'As a spreadsheet program numbers it, header included.', example: 17 })
  rowNumber: number;

  @ApiProperty({ description: '`phone`, `parameter n`, or `name` of a contact.', example: 'phone' })
  field: string;

  @ApiProperty({ description: 'Stable name of the error.', example: 'phone_invalid' })
  code: string;

  @ApiProperty({ description: 'What to do about it.', example: 'Write the number in international format.' })
  message: string;
}
