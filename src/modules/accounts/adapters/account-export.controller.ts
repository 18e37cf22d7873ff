import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ClientSignal } from '../../../infra/http/edge/client-signal.decorator';
import { ExportsBusyError, FileExports } from '../../../infra/http/edge/file-exports';
import { sendFile } from '../../../infra/http/edge/streamed-file';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import { zipStream } from '../../../infra/zip-stream';
import { AccountArchive } from '../domain/account-archive';
import { AccountNotFoundError } from '../domain/accounts.errors';
import { ACCOUNT_ID } from './account-id.dto';

/** The archive of an account. */
@ApiTags('Accounts')
@Controller('accounts')
export class AccountExportController {
  constructor(
    private readonly archive: AccountArchive,
    private readonly exports: FileExports,
  ) {}

  @Get(':accountId/export')
  @ApiParam(ACCOUNT_ID)
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'Export an account',
    description:
      'Streams a zip archive of everything that the service has of the account, without secrets: files of one JSON object per line, and ' +
      'the files of inbound messages in `media/`, named by message id. If the connection breaks, the archive is incomplete. One process ' +
      'streams two exports per account at a time; further ones wait, and are refused after 30 s.',
  })
  @ApiOkResponse({
    description: 'The archive.',
    content: {
      'application/zip': { schema: { type: 'string', format: 'binary' }, example: 'the bytes of the archive' },
    },
  })
  @ApiErrors(AccountNotFoundError, ExportsBusyError)
  async exportAccount(
    @Param('accountId', new ResourceIdPipe(AccountNotFoundError)) accountId: string,
    @Res() response: Response,
    @ClientSignal() signal: AbortSignal,
  ): Promise<void> {
    const pieces = await this.exports.start(accountId, this.archive.pieces(accountId), signal);
    await sendFile(response, {
      type: 'application/zip',
      name: `account-${accountId}.zip`,
      content: zipStream(pieces),
    });
  }
}
