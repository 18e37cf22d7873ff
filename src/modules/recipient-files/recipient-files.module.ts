import { Module } from '@nestjs/common';
import { SpreadsheetRecipientFile } from './adapters/spreadsheet-recipient-file';
import { RecipientFile } from './domain/recipient-file.port';
import { RecipientFiles } from './domain/recipient-files';

/** Reads uploaded files; all uploads share one instance, which limits how many are read at once. */
@Module({
  providers: [RecipientFiles, { provide: RecipientFile, useClass: SpreadsheetRecipientFile }],
  exports: [RecipientFiles],
})
export class RecipientFilesModule {}
