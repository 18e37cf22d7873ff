import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { FieldError } from '../../../kernel/domain-error';

/** One error of one field. */
export class FieldErrorDto implements FieldError<string> {
  @ApiProperty({ description: 'Path of the field in the request.', example: 'templateParameters[0].text' })
  field: string;

  @ApiProperty({ description: 'Stable name of the error.', example: 'required' })
  code: string;

  @ApiProperty({ description: 'What to do about it.', example: 'templateParameters[0].text is required.' })
  message: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'For errors in a file: the row, as numbered by a spreadsheet.',
    example: 17,
  })
  rowNumber?: number;
}

/** Body of every error; the OpenAPI document adds the codes and extra fields of all declared errors. */
export class ErrorDto {
  @ApiProperty({ description: 'Reason phrase of the HTTP status.', example: 'Bad Request' })
  error: string;

  @ApiProperty({ description: 'What is wrong and what to do.', example: 'to is required.' })
  message: string;

  @ApiProperty({ type: 'integer', description: 'HTTP status.', example: 400 })
  statusCode: number;

  @ApiProperty({ description: 'Stable name of the error, for programs.', example: 'validation_failed' })
  code: string;

  @ApiProperty({
    description: 'Id of this request, also in the X-Request-Id header.',
    example: 'c1f6d9d8-4d0c-4f0e-9a53-9a2f0a4f3b11',
  })
  requestId: string;

  @ApiPropertyOptional({ description: 'Errors by field, in field order, at most 100.', type: [FieldErrorDto] })
  errors?: FieldErrorDto[];
}
