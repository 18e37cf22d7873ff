import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional } from 'class-validator';
import type { TableFormat } from '../../../infra/http/table-file';
import { DryRunField, EmptyIsAbsent, HasHeaderField } from '../../../infra/http/uploads/upload-fields.decorators';
import { ImportCountryField } from '../../../infra/http/validation/default-country.decorator';
import { BadRowsField, BadRowsLanguageField } from '../../recipient-files/adapters/bad-rows.dto';
import {
  ColumnsField,
  FileColumnDto,
  IsSource,
  OptionalSource,
  SOURCE,
  SuggestedColumnDto,
} from '../../recipient-files/adapters/file-columns.dto';
import {
  CellLanguageField,
  HeaderRowField,
  type ListPlace,
  SheetField,
} from '../../recipient-files/adapters/list-place.dto';
import type { ReportLanguage } from '../../../infra/http/reasons';
import { RowErrorDto } from '../../recipient-files/adapters/row-error.dto';
import type { ContactColumns, ContactsChecked, ContactsImported } from '../domain/contact-imports.service';

const MAX_VALUES = 199;

/** Columns of a file of contacts by name. */
export class ContactColumnsDto implements ContactColumns {
  @ApiProperty({ ...SOURCE, description: 'Column of the phone numbers.', example: 'Mobile' })
  @IsSource()
  phone: string;

  @OptionalSource(
    "Column of the platform's user ids. A row with a number and a user id is one person; a row with only one of them is the person " +
      'that another row, or an earlier message, has with both.',
    'User id',
  )
  userId?: string;

  @OptionalSource('Column of the names.', 'Customer')
  name?: string;

  @OptionalSource('Column of the last names, which follow the names. Either of them may be missing.', 'Last name')
  lastName?: string;

  @ApiPropertyOptional({
    description: 'Columns of the parameters "1", "2", … of the contacts; default: none.',
    type: [String],
    maxItems: MAX_VALUES,
    example: ['First name'],
  })
  @IsArray()
  @ArrayMaxSize(MAX_VALUES)
  @IsSource({ each: true })
  values: string[] = [];
}

/** The form fields of an import of people, except the file and its columns; form fields are text. */
export abstract class PeopleImportDto implements ListPlace {
  @HasHeaderField()
  hasHeader: 'auto' | 'true' | 'false' = 'auto';

  @SheetField()
  sheet?: string;

  @HeaderRowField()
  headerRow?: number;

  @CellLanguageField()
  cellLanguage?: string;

  @ApiPropertyOptional({
    description: '`skip`: invalid rows are skipped and reported. `reject`: one invalid row rejects the file.',
    enum: ['skip', 'reject'],
    default: 'skip',
  })
  @IsOptional()
  @IsIn(['skip', 'reject'])
  onInvalidRows: 'skip' | 'reject' = 'skip';

  @EmptyIsAbsent()
  @ImportCountryField()
  defaultCountry?: string;

  @DryRunField()
  dryRun: 'true' | 'false' = 'false';

  @BadRowsField()
  badRows?: TableFormat;

  @BadRowsLanguageField()
  badRowsLanguage?: ReportLanguage;
}

/** The form fields of a contact import except its file. */
@ApiExtraModels(ContactColumnsDto)
export class ContactImportDto extends PeopleImportDto {
  @ColumnsField(
    ContactColumnsDto,
    'Columns by name, as JSON: each is a header of the file (case-insensitive) or the letter of a column. Absent: the first column ' +
      'contains phone numbers, a column with the header `name` names, and each other column the next parameter. `auto`, only with ' +
      '`dryRun=true`: returns `suggestedColumns`.',
    { phone: 'Mobile', name: 'Customer' },
  )
  columns?: ContactColumnsDto | 'auto';
}

/** An upload in the OpenAPI document: these fields and the file. */
export class ContactImportFormDto extends ContactImportDto {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description:
      'Excel (.xlsx, .xls) or CSV; the type is detected from the content. Without `columns`: first column: phone numbers; a column with the header `name`: names; each other column: the next parameter of the contact, "1", "2", …; an empty cell sets none. Each column with a header other than the phone is also an attribute of the contact.',
  })
  file: unknown;
}

/** Suggested columns of a file of contacts. */
export class SuggestedContactColumnsDto {
  @ApiProperty({ type: SuggestedColumnDto, description: 'Column of the phone numbers.' })
  phone: SuggestedColumnDto;

  @ApiProperty({ type: SuggestedColumnDto, description: 'Column of the names.' })
  name: SuggestedColumnDto;
}

/** The result of an import; the four counts add up to the rows of the file. */
export class ContactsImportedDto implements ContactsImported {
  @ApiProperty({ type: 'integer', description: 'Contacts added to the group.', example: 99_985 })
  added: number;

  @ApiProperty({
    type: 'integer',
    description: 'Contacts that were already in the group, updated from the file.',
    example: 0,
  })
  updated: number;

  @ApiProperty({
    type: 'integer',
    description: 'Rows dropped because an earlier row has the same phone number, in any form.',
    example: 3,
  })
  duplicates: number;

  @ApiProperty({ type: 'integer', description: 'Rows skipped because of an error.', example: 12 })
  invalid: number;

  @ApiProperty({ type: [RowErrorDto], description: 'The first 100 errors.' })
  errors: RowErrorDto[];

  @ApiProperty({ description: 'Corrections that were made while reading the rows.', type: [String], example: [] })
  warnings: string[];

  @ApiPropertyOptional({
    type: [FileColumnDto],
    description:
      'With `dryRun=true` and `columns`: the columns of the file, in order; `use` is `phone`, `userId`, `name`, `parameter n`, `attribute`.',
  })
  columns?: FileColumnDto[];

  @ApiPropertyOptional({
    type: SuggestedContactColumnsDto,
    description:
      'With `columns=auto`: the guessed columns. The other fields are those of a file read by them if the phone was found, else by position.',
  })
  suggestedColumns?: SuggestedContactColumnsDto;

  static of({ suggestedColumns, ...checked }: ContactsChecked): ContactsImportedDto {
    if (suggestedColumns === undefined) return checked;
    const { phone, name } = suggestedColumns;
    return { ...checked, suggestedColumns: { phone, name: name! } };
  }
}
