import { Readable } from 'node:stream';
import { Body, Controller, Get, Param, Post, StreamableFile, UseInterceptors } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { MultipartBody } from '../../../infra/http/request-body';
import { ResourceIdPipe } from '../../../infra/http/resource-id.pipe';
import { FileUploadInterceptor, type Upload, UploadedFile } from '../../../infra/http/uploads/file-upload.interceptor';
import type { Caller } from '../../../kernel/caller';
import { InboundMedia } from '../domain/inbound-media.service';
import { MediaUploads } from '../domain/media-uploads.service';
import { extensionOf } from '../domain/media-type';
import { contentOf, endsOf } from './file-on-disk';
import { MediaDto, MediaUploadDto, MediaUploadFormDto } from './media.dto';

const UNTYPED = 'application/octet-stream';

/** Files that are sent, and files that people sent. */
@ApiTags('Media')
@Controller()
export class MediaController {
  constructor(
    private readonly uploads: MediaUploads,
    private readonly inbound: InboundMedia,
  ) {}

  /** Whoever may send, answer or make templates needs files for it; a media id alone does nothing. */
  @Post('media')
  @RequireScope('messaging:send', 'messaging:manage', 'templates:manage')
  @MultipartBody()
  @UseInterceptors(FileUploadInterceptor)
  @ApiOperation({
    summary: 'Upload a file to the platform',
    description:
      'The `mediaId` of the answer is the `headerMediaId` of a template message, a bulk import or a group send, or the media of a reply, for 30 days. With `purpose=TemplateExample` the answer has a `handle` instead, for the header of a new template. An upload may be repeated: it makes another media id and does no harm.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: MediaUploadFormDto })
  @ApiCreatedResponse({ type: MediaDto, description: 'The platform has the file.' })
  @ApiFaults(
    'validation_failed',
    'file_required',
    'file_empty',
    'file_too_large',
    'unsupported_media_type',
    'unsupported_file_type',
    'platform_rejected',
    'sender_missing',
    'platform_unavailable',
  )
  async upload(
    @CurrentCaller() caller: Caller,
    @Body() { purpose }: MediaUploadDto,
    @UploadedFile() upload: Upload,
  ): Promise<MediaDto> {
    const { declaredType, fileName, path, size } = upload;
    const ends = await endsOf(path, size);
    const file = { fileName, declaredType, size, ends, content: () => contentOf(path) };
    return MediaDto.from(upload, await this.uploads.upload(caller.accountId, purpose, file));
  }

  @Get('messages/:messageId/media')
  @RequireScope('messaging:read')
  @ApiParam({
    name: 'messageId',
    description: 'The id of a message that somebody sent to your account.',
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
  })
  @ApiOperation({
    summary: 'Download the media of a message',
    description:
      'The file that a person sent: picture, video, voice message, sticker or document. It is fetched from the platform as soon as the message arrives and kept as long as the message. Until it is there the answer is 409 `media_not_ready`; a file that the platform did not have any more is a 404 that says so.',
  })
  @ApiOkResponse({
    description: 'The bytes of the file, as an attachment.',
    content: { [UNTYPED]: { schema: { type: 'string', format: 'binary' }, example: 'the bytes of the file' } },
  })
  @ApiFaults('media_not_found', 'media_not_ready')
  async download(
    @CurrentCaller() caller: Caller,
    @Param('messageId', new ResourceIdPipe('media')) messageId: string,
  ): Promise<StreamableFile> {
    const { content, mimeType, size } = await this.inbound.open(caller.accountId, messageId);
    const extension = extensionOf(mimeType);
    return new StreamableFile(Readable.from(content, { objectMode: false }), {
      type: mimeType ?? UNTYPED,
      length: size,
      // Nothing that a person chose: a name is all that a browser needs to put a file where it does harm.
      disposition: `attachment; filename="${messageId}${extension === null ? '' : `.${extension}`}"`,
    });
  }
}
