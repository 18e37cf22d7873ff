import { ApiExtraModels, ApiProperty, OmitType } from '@nestjs/swagger';
import { ColumnsField, IsSource, OptionalSource, SOURCE } from '../../recipient-files/adapters/file-columns.dto';
import type { OptOutColumns } from '../domain/opt-out-imports.service';
import { ContactsImportedDto, PeopleImportDto } from './contact-imports.dto';

/** Columns of a file of opt-outs by name. */
export class OptOutColumnsDto implements OptOutColumns {
  @ApiProperty({ ...SOURCE, description: 'Column of the phone numbers.', example: 'Mobile' })
  @IsSource()
  phone: string;

  @OptionalSource("Column of the platform's user ids, of people with or without a number.", 'User id')
  userId?: string;
}

/** The form fields of an import of opt-outs except its file. */
@ApiExtraModels(OptOutColumnsDto)
export class OptOutImportDto extends PeopleImportDto {
  @ColumnsField(
    OptOutColumnsDto,
    'Columns by name, as JSON: each is a header of the file (case-insensitive) or the letter of a column. Absent: the first column ' +
      'contains phone numbers. `auto`, only with `dryRun=true`: returns `suggestedColumns`.',
    { phone: 'Mobile' },
  )
  columns?: OptOutColumnsDto | 'auto';
}

/** An upload in the OpenAPI document: these fields and the file. */
export class OptOutImportFormDto extends OptOutImportDto {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description:
      'Excel (.xlsx, .xls) or CSV; the type is detected from the content. Without `columns`, the first column contains phone numbers; others are not read.',
  })
  file: unknown;
}

/** The result of an import; the four counts add up to the rows of the file. */
export class OptOutsImportedDto extends OmitType(ContactsImportedDto, ['added', 'updated']) {
  @ApiProperty({ type: 'integer', description: 'People who are newly opted out.', example: 212 })
  added: number;

  @ApiProperty({
    type: 'integer',
    description: 'People who had opted out of all messages before; their record stays.',
    example: 3,
  })
  updated: number;
}
