import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { DryRunField, HasHeaderField } from '../../../infra/http/uploads/upload-fields.decorators';
import { RowErrorDto } from '../../../infra/http/uploads/row-error.dto';
import type { ContactsImported } from '../domain/contact-imports.service';

/** Fields of an upload of contacts beside its file; as parts of a form all of them are text. */
export class ContactImportDto {
  @HasHeaderField()
  hasHeader: 'auto' | 'true' | 'false' = 'auto';

  @ApiPropertyOptional({
    description: '`skip`: bad rows are left out and told. `reject`: one bad row refuses the file.',
    enum: ['skip', 'reject'],
    default: 'skip',
  })
  @IsOptional()
  @IsIn(['skip', 'reject'])
  onInvalidRows: 'skip' | 'reject' = 'skip';

  @DryRunField()
  dryRun: 'true' | 'false' = 'false';
}

/** An upload as the OpenAPI document shows it: those fields and the file. */
export class ContactImportFormDto extends ContactImportDto {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description:
      'Excel (.xlsx, .xls) or CSV, told by its bytes. First column: phone numbers. A column whose header is `name`: names. Each other column: the contact\'s next parameter, "1", "2", …; an empty cell gives none.',
  })
  file: unknown;
}

/** What became of the rows; the four counts add up to the rows of the file. */
export class ContactsImportedDto implements ContactsImported {
  @ApiProperty({ type: 'integer', description: 'New in the group.', example: 99_985 })
  added: number;

  @ApiProperty({
    type: 'integer',
    description: 'In the group before; what the file says of them is stored.',
    example: 0,
  })
  updated: number;

  @ApiProperty({
    type: 'integer',
    description: 'Dropped: an earlier row has the phone number, in this or another form.',
    example: 3,
  })
  duplicates: number;

  @ApiProperty({ type: 'integer', description: 'Left out for a fault.', example: 12 })
  invalid: number;

  @ApiProperty({ type: [RowErrorDto], description: 'The first 100.' })
  errors: RowErrorDto[];

  @ApiProperty({ description: 'What was changed in the rows to make them fit.', type: [String], example: [] })
  warnings: string[];
}
