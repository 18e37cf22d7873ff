import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { DryRunField, HasHeaderField } from '../../../infra/http/uploads/upload-fields.decorators';
import { RowErrorDto } from '../../recipient-files/adapters/row-error.dto';
import type { ContactsImported } from '../domain/contact-imports.service';

/** The fields of a contact import beside its file; form fields are text. */
export class ContactImportDto {
  @HasHeaderField()
  hasHeader: 'auto' | 'true' | 'false' = 'auto';

  @ApiPropertyOptional({
    description: '`skip`: invalid rows are skipped and reported. `reject`: one invalid row rejects the file.',
    enum: ['skip', 'reject'],
    default: 'skip',
  })
  @IsOptional()
  @IsIn(['skip', 'reject'])
  onInvalidRows: 'skip' | 'reject' = 'skip';

  @DryRunField()
  dryRun: 'true' | 'false' = 'false';
}

/** An upload in the OpenAPI document: these fields and the file. */
export class ContactImportFormDto extends ContactImportDto {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description:
      'Excel (.xlsx, .xls) or CSV; the type is detected from the content. First column: phone numbers. A column with the header `name`: names. Each other column: the next parameter of the contact, "1", "2", …; an empty cell sets none.',
  })
  file: unknown;
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
}
