import { Readable } from 'node:stream';
import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { ClientSignal } from '../../../infra/http/edge/client-signal.decorator';
import { sendFile } from '../../../infra/http/edge/streamed-file';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { FairSlots, type SlotLimits } from '../../../infra/http/limits/fair-slots';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import { ServiceUnavailableError } from '../../../kernel/request.errors';
import { MediaNotFoundError, MediaNotReadyError, MediaUnavailableError } from '../../media/domain/media.errors';
import { extensionOf } from '../../media/domain/media-type';
import { MessageFiles } from '../domain/message-files';

const UNTYPED = 'application/octet-stream';
/** Each download of a sent file occupies one of the few connections to the platform's files, as uploads do. */
const LIMITS: SlotLimits = { slots: 8, perAccount: 4, waitMs: 10_000 };

/** Too many files are being downloaded, of this account or of all accounts. */
export class DownloadsBusyError extends ServiceUnavailableError {
  constructor() {
    super('Too many files of messages are being downloaded at the moment. Repeat the request later.');
  }
}

/** The files of messages over HTTP. */
@ApiTags('Media')
@Controller('messages')
export class MessageFilesController {
  private readonly slots = new FairSlots(LIMITS, () => new DownloadsBusyError());

  constructor(private readonly files: MessageFiles) {}

  @Get(':messageId/media')
  @RequireScope('messaging:read')
  @ApiParam({
    name: 'messageId',
    description: 'Id of a message of your account.',
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
  })
  @ApiOperation({
    summary: 'Download the media of a message',
    description:
      'Returns the file of a message: image, video, voice message, sticker or document. The service downloads that of a ' +
      'received message from the platform when the message arrives and keeps it as long as the message. Until then the response is ' +
      '409 `media_not_ready`; if the platform no longer had the file, it is 404 with the reason. A file that you uploaded and sent is ' +
      'downloaded from the platform with each request, for 30 days.',
  })
  @Header('Content-Security-Policy', "sandbox; default-src 'none'")
  @ApiOkResponse({
    description:
      'The bytes of the file, as an attachment. `Content-Type` is that of a picture, video or audio only if the bytes match it; a type that the platform does not support is `application/octet-stream`.',
    content: { [UNTYPED]: { schema: { type: 'string', format: 'binary' }, example: 'the bytes of the file' } },
  })
  @ApiErrors(MediaNotFoundError, MediaNotReadyError, MediaUnavailableError, DownloadsBusyError)
  async downloadMedia(
    @CurrentCaller() caller: Caller,
    @Param('messageId', new ResourceIdPipe(MediaNotFoundError)) messageId: string,
    @Res() response: Response,
    @ClientSignal() signal: AbortSignal,
  ): Promise<void> {
    const { accountId } = caller;
    await this.slots.take(accountId, signal);
    try {
      const { content, mimeType, size } = await this.files.open(accountId, messageId, signal);
      const extension = extensionOf(mimeType);
      await sendFile(response, {
        type: mimeType ?? UNTYPED,
        // Not the person's file name, which could harm the client.
        name: extension === null ? messageId : `${messageId}.${extension}`,
        content: Readable.from(content, { objectMode: false }),
        size: size ?? undefined,
      });
    } finally {
      this.slots.release(accountId);
    }
  }
}
