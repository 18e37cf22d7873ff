import { Module } from '@nestjs/common';
import { SpreadsheetRecipientFile } from './adapters/spreadsheet-recipient-file';
import { RecipientFile } from './domain/recipient-file.port';
import { RecipientFiles } from './domain/recipient-files.service';

/** Reads uploaded files; one instance for all uploads limits how many are read at once. */
@Module({
  providers: [RecipientFiles, { provide: RecipientFile, useClass: SpreadsheetRecipientFile }],
  exports: [RecipientFiles],
})
export class RecipientFilesModule {}
