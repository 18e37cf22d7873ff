import { Body, Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import type { Answer } from '../../../infra/http/answer';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { Idempotent } from '../../../infra/http/idempotency/idempotent.decorator';
import { FileUpload, type Upload, UploadedFile } from '../../../infra/http/uploads/file-upload.decorator';
import type { Caller } from '../../../kernel/caller';
import { PlatformRejectedError, PlatformUnavailableError } from '../../../kernel/platform.errors';
import { AccountWithoutSenderError, SenderNotFoundError } from '../../accounts/domain/accounts.errors';
import { MediaUploads } from '../domain/media-uploads';
import { contentOf, readEnds } from './file-on-disk';
import { MediaDto, MediaUploadDto, MediaUploadFormDto } from './media.dto';

/** Media over HTTP. */
@ApiTags('Media')
@Controller()
export class MediaController {
  constructor(private readonly uploads: MediaUploads) {}

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
}
