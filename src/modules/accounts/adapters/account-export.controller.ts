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
import { AccountArchive, type ArchivePiece } from '../domain/account-archive';
import { AccountNotFoundError, SenderNotFoundError } from '../domain/accounts.errors';
import { ACCOUNT_ID } from './account-id.dto';
import { SENDER_ID } from './account-senders.dto';

const ARCHIVE = {
  description: 'The archive.',
  content: { 'application/zip': { schema: { type: 'string', format: 'binary' }, example: 'the bytes of the archive' } },
};

/** The archives of an account and of its senders. */
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
  @ApiOkResponse(ARCHIVE)
  @ApiErrors(AccountNotFoundError, ExportsBusyError)
  async exportAccount(
    @Param('accountId', new ResourceIdPipe(AccountNotFoundError)) accountId: string,
    @Res() response: Response,
    @ClientSignal() signal: AbortSignal,
  ): Promise<void> {
    const pieces = await this.exports.start(accountId, this.archive.pieces(accountId), signal);
    await sendArchive(response, `account-${accountId}.zip`, pieces);
  }

  @Get(':accountId/senders/:senderId/export')
  @ApiParam(ACCOUNT_ID)
  @ApiParam({ ...SENDER_ID, name: 'senderId', description: 'Id of a sender of that account, also of a deleted one.' })
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'Export a sender of an account',
    description:
      'Streams the part of the archive of `GET /accounts/{accountId}/export` that belongs to one sender: its settings and the audit entries ' +
      'about it, its jobs with recipients, its messages with their files in `media/`, and the conversations that it replies to. Templates, ' +
      'contacts, groups, opt-outs, quick replies, keys, webhook endpoints and hourly figures belong to the account and are not in it.',
  })
  @ApiOkResponse(ARCHIVE)
  @ApiErrors(SenderNotFoundError, ExportsBusyError)
  async exportAccountSender(
    @Param('accountId', new ResourceIdPipe(SenderNotFoundError)) accountId: string,
    @Param('senderId', new ResourceIdPipe(SenderNotFoundError)) senderId: string,
    @Res() response: Response,
    @ClientSignal() signal: AbortSignal,
  ): Promise<void> {
    const pieces = await this.exports.start(accountId, this.archive.piecesOfSender(accountId, senderId), signal);
    await sendArchive(response, `sender-${senderId}.zip`, pieces);
  }
}

function sendArchive(response: Response, name: string, pieces: AsyncGenerator<ArchivePiece>): Promise<void> {
  return sendFile(response, { type: 'application/zip', name, content: zipStream(pieces) });
}
