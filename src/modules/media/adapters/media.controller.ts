import { Readable } from 'node:stream';
import { Body, Controller, Get, Header, Param, Post, StreamableFile } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import type { Answer } from '../../../infra/http/answer';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { Idempotent } from '../../../infra/http/idempotency/idempotent.decorator';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import { FileUpload, type Upload, UploadedFile } from '../../../infra/http/uploads/file-upload.decorator';
import type { Caller } from '../../../kernel/caller';
import { PlatformRejectedError, PlatformUnavailableError } from '../../../kernel/platform.errors';
import { AccountWithoutSenderError, SenderNotFoundError } from '../../accounts/domain/accounts.errors';
import { InboundMedia } from '../domain/inbound-media';
import { MediaUploads } from '../domain/media-uploads';
import { extensionOf } from '../domain/media-type';
import { MediaNotFoundError, MediaNotReadyError } from '../domain/media.errors';
import { contentOf, readEnds } from './file-on-disk';
import { MediaDto, MediaUploadDto, MediaUploadFormDto } from './media.dto';

const UNTYPED = 'application/octet-stream';

/** Media over HTTP. */
@ApiTags('Media')
@Controller()
export class MediaController {
  constructor(
    private readonly uploads: MediaUploads,
    private readonly inbound: InboundMedia,
  ) {}

  /** Sending, replying and creating templates all need files, so each of their scopes permits uploads. */
  @Post('media')
  @RequireScope('messaging:send', 'messaging:manage', 'templates:manage')
  // Uploads are not stored here: an interrupted one is uploaded again.
  @Idempotent(MediaUploadDto, () => Promise.resolve(null))
  @FileUpload(MediaUploadFormDto)
  @ApiOperation({
    summary: 'Upload a file to the platform',
    description:
      'Use the returned `mediaId` within 30 days as the `headerMediaId` of a template message, bulk import or group ' +
      'send, or as the media of a reply. With `purpose=TemplateExample` the response has a `handle` instead, for the ' +
      'header of a new template. Uploads may be repeated safely; each returns a new media id unless it has the same ' +
      '`Idempotency-Key`.',
  })
  @ApiCreatedResponse({ type: MediaDto, description: 'The platform stored the file.' })
  @ApiErrors(PlatformRejectedError, AccountWithoutSenderError, SenderNotFoundError, PlatformUnavailableError)
  async uploadMedia(
    @CurrentCaller() caller: Caller,
    @Body() { purpose, senderId }: MediaUploadDto,
    @UploadedFile() upload: Upload,
  ): Promise<Answer> {
    const { declaredType, fileName, path, size } = upload;
    const ends = await readEnds(path, size);
    const file = { fileName, declaredType, size, ends, content: () => contentOf(path) };
    const media = await this.uploads.upload(caller.accountId, purpose, file, senderId ?? undefined);
    return { statusCode: 201, body: MediaDto.from(upload, media) };
  }

  @Get('messages/:messageId/media')
  @RequireScope('messaging:read')
  @ApiParam({
    name: 'messageId',
    description: 'Id of an inbound message of your account.',
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
  })
  @ApiOperation({
    summary: 'Download the media of a message',
    description:
      'Returns the file that a person sent: image, video, voice message, sticker or document. The service downloads ' +
      'it from the platform when the message arrives and keeps it as long as the message. Until then the response is ' +
      '409 `media_not_ready`; if the platform no longer had the file, it is 404 with the reason.',
  })
  @Header('Content-Security-Policy', "sandbox; default-src 'none'")
  @ApiOkResponse({
    description:
      'The bytes of the file, as an attachment. `Content-Type` is that of a picture, video or audio only if the bytes match it; a type that the platform does not support is `application/octet-stream`.',
    content: { [UNTYPED]: { schema: { type: 'string', format: 'binary' }, example: 'the bytes of the file' } },
  })
  @ApiErrors(MediaNotFoundError, MediaNotReadyError)
  async downloadMedia(
    @CurrentCaller() caller: Caller,
    @Param('messageId', new ResourceIdPipe(MediaNotFoundError)) messageId: string,
  ): Promise<StreamableFile> {
    const { content, mimeType, size } = await this.inbound.open(caller.accountId, messageId);
    const extension = extensionOf(mimeType);
    return new StreamableFile(Readable.from(content, { objectMode: false }), {
      type: mimeType ?? UNTYPED,
      length: size,
      // Not the person's file name, which could harm the client.
      disposition: `attachment; filename="${messageId}${extension === null ? '' : `.${extension}`}"`,
    });
  }
}
