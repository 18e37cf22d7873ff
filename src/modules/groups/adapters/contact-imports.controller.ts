import { Body, Controller, HttpCode, Param, Post, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { ClientSignal } from '../../../infra/http/client-signal.decorator';
import { MultipartBody } from '../../../infra/http/request-body';
import { ResourceIdPipe } from '../../../infra/http/resource-id.pipe';
import { FileUploadInterceptor, type Upload, UploadedFile } from '../../../infra/http/uploads/file-upload.interceptor';
import type { Caller } from '../../../kernel/caller';
import { ContactImportsService } from '../domain/contact-imports.service';
import { ContactImportDto, ContactImportFormDto, ContactsImportedDto } from './contact-imports.dto';

const HEADER = { auto: 'auto', true: 'present', false: 'absent' } as const;

/** Uploads of contacts over HTTP. */
@ApiTags('Groups')
@Controller('groups')
export class ContactImportsController {
  constructor(private readonly imports: ContactImportsService) {}

  @Post(':groupId/contacts/import')
  @ApiParam({
    name: 'groupId',
    description: 'The id of a contact group of your account.',
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
  })
  @HttpCode(200)
  @RequireScope('groups:manage')
  @MultipartBody()
  @UseInterceptors(FileUploadInterceptor)
  @ApiOperation({
    summary: 'Put the contacts of a file into a group',
    description:
      'First column: phone numbers. A column whose header is `name`: names. Each other column: the next parameter of the contact. New people become contacts, known ones get what the file says of them, and all of them are in the group afterwards; of several rows with one phone number the first counts. The file is read to its end before anything changes, so a bad file changes nothing. An import that is interrupted after that may have stored a part: the same file again adds the rest.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: ContactImportFormDto })
  @ApiOkResponse({ type: ContactsImportedDto, description: 'What became of the rows; with `dryRun=true`, what would.' })
  @ApiFaults(
    'validation_failed',
    'file_required',
    'file_empty',
    'group_not_found',
    'file_too_large',
    'too_many_rows',
    'unsupported_media_type',
    'unsupported_file_type',
    'file_unreadable',
    'no_valid_rows',
    'invalid_rows',
  )
  importContacts(
    @CurrentCaller() caller: Caller,
    @Param('groupId', new ResourceIdPipe('group')) groupId: string,
    @Body() body: ContactImportDto,
    @UploadedFile() upload: Upload,
    @ClientSignal() signal: AbortSignal,
  ): Promise<ContactsImportedDto> {
    const { accountId, plan } = caller;
    const request = {
      accountId,
      groupId,
      plan,
      path: upload.path,
      header: HEADER[body.hasHeader],
      onInvalidRows: body.onInvalidRows,
      signal,
    };
    return body.dryRun === 'true' ? this.imports.checkFile(request) : this.imports.importFile(request);
  }
}
