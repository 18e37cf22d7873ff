import { Body, Controller, HttpCode, Param, Post, type StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { ClientSignal } from '../../../infra/http/edge/client-signal.decorator';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import { FileUpload, type Upload, UploadedFile } from '../../../infra/http/uploads/file-upload.decorator';
import type { Caller } from '../../../kernel/caller';
import { answerWithBadRows, checkBadRows } from '../../recipient-files/adapters/bad-rows.dto';
import { requestedColumns } from '../../recipient-files/adapters/file-columns.dto';
import { ColumnNotFoundError, RECIPIENT_LIST_ERRORS } from '../../recipient-files/domain/recipient-files.errors';
import { QuotaExceededError } from '../../accounts/domain/accounts.errors';
import { ContactImportsService } from '../domain/contact-imports.service';
import { GroupNotFoundError } from '../domain/groups.errors';
import {
  type ContactColumnsDto,
  ContactImportDto,
  ContactImportFormDto,
  ContactsImportedDto,
} from './contact-imports.dto';
import { importAnswer, listFields } from './file-imports';

/** Imports of contacts over HTTP. */
@ApiTags('Groups')
@Controller('groups')
export class ContactImportsController {
  constructor(private readonly imports: ContactImportsService) {}

  @Post(':groupId/contacts/import')
  @ApiParam({
    name: 'groupId',
    description: 'Id of a contact group of your account.',
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
  })
  @HttpCode(200)
  @RequireScope('groups:manage')
  @FileUpload(ContactImportFormDto)
  @ApiOperation({
    summary: 'Import contacts into a group',
    description:
      'Creates and updates contacts and adds all to the group. Columns: phone, `name`, and the parameters in order, unless `columns` names ' +
      'them; each with a header is also kept as an attribute. If a number repeats, the first row is used. Invalid rows are skipped and ' +
      'counted, by `dryRun=true` before anything changes. The file is read completely first, so a rejected one changes nothing; ' +
      'after an interruption import it again.',
  })
  @ApiExtraModels(ContactsImportedDto)
  @ApiOkResponse(
    answerWithBadRows(
      ContactsImportedDto,
      'The result of the import; with `dryRun=true`, the result it would have; with `badRows`: the invalid rows as a file.',
    ),
  )
  @ApiErrors(GroupNotFoundError, QuotaExceededError, ColumnNotFoundError, ...RECIPIENT_LIST_ERRORS)
  async importGroupContacts(
    @CurrentCaller() caller: Caller,
    @Param('groupId', new ResourceIdPipe(GroupNotFoundError)) groupId: string,
    @Body() body: ContactImportDto,
    @UploadedFile() upload: Upload,
    @ClientSignal() signal: AbortSignal,
  ): Promise<ContactsImportedDto | StreamableFile> {
    const { accountId, plan } = caller;
    checkBadRows(body);
    const request = {
      accountId,
      groupId,
      plan,
      path: upload.path,
      ...listFields(body),
      columns: requestedColumns<ContactColumnsDto>(body.columns, body.dryRun === 'true'),
      signal,
    };
    return importAnswer(this.imports, request, body);
  }
}
