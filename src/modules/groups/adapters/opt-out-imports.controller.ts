import { Body, Controller, HttpCode, Post, type StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { ClientSignal } from '../../../infra/http/edge/client-signal.decorator';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { FileUpload, type Upload, UploadedFile } from '../../../infra/http/uploads/file-upload.decorator';
import type { Caller } from '../../../kernel/caller';
import { answerWithBadRows, checkBadRows } from '../../recipient-files/adapters/bad-rows.dto';
import { requestedColumns } from '../../recipient-files/adapters/file-columns.dto';
import { ColumnNotFoundError, RECIPIENT_LIST_ERRORS } from '../../recipient-files/domain/recipient-files.errors';
import { OptOutImportsService } from '../domain/opt-out-imports.service';
import { importAnswer, listFields } from './file-imports';
import { type OptOutColumnsDto, OptOutImportDto, OptOutImportFormDto, OptOutsImportedDto } from './opt-out-imports.dto';

/** Imports of opt-outs over HTTP. */
@ApiTags('Opt-outs')
@Controller('opt-outs')
export class OptOutImportsController {
  constructor(private readonly imports: OptOutImportsService) {}

  @Post('import')
  @HttpCode(200)
  @RequireScope('groups:manage')
  @FileUpload(OptOutImportFormDto)
  @ApiOperation({
    summary: 'Import opt-outs',
    description:
      'Records an opt-out, as `POST /opt-outs` does, for every row of a file: the phone numbers are in the first column, unless `columns` ' +
      'names another one. Invalid rows are skipped and counted, by `dryRun=true` before anything changes. The file is read completely ' +
      'first, so a rejected one changes nothing; after an interruption import it again.',
  })
  @ApiExtraModels(OptOutsImportedDto)
  @ApiOkResponse(
    answerWithBadRows(
      OptOutsImportedDto,
      'The result of the import; with `dryRun=true`, the result it would have; with `badRows`: the invalid rows as a file.',
    ),
  )
  @ApiErrors(ColumnNotFoundError, ...RECIPIENT_LIST_ERRORS)
  async importOptOuts(
    @CurrentCaller() caller: Caller,
    @Body() body: OptOutImportDto,
    @UploadedFile() upload: Upload,
    @ClientSignal() signal: AbortSignal,
  ): Promise<OptOutsImportedDto | StreamableFile> {
    checkBadRows(body);
    const request = {
      caller,
      path: upload.path,
      ...listFields(body),
      columns: requestedColumns<OptOutColumnsDto>(body.columns, body.dryRun === 'true'),
      signal,
    };
    return importAnswer(this.imports, request, body);
  }
}
