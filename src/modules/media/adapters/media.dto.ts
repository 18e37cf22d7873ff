import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn } from 'class-validator';
import type { Upload } from '../../../infra/http/uploads/file-upload.decorator';
import { SenderIdField } from '../../accounts/adapters/account-senders.dto';
import { MEDIA_PURPOSES, type MediaPurpose, type UploadedMedia } from '../domain/media-uploads';

const KINDS = ['audio', 'document', 'image', 'sticker', 'video'];

/** The form fields of an upload except its file. */
export class MediaUploadDto {
  @ApiPropertyOptional({
    description:
      '`Message`: to send as `headerMediaId` or in a reply. `TemplateExample`: as the example of a media header in a ' +
      'new template.',
    enum: MEDIA_PURPOSES,
    default: 'Message',
  })
  @Transform(({ value }: { value: unknown }) => (value === '' ? 'Message' : value))
  @IsIn(MEDIA_PURPOSES)
  purpose: MediaPurpose = 'Message';

  @SenderIdField('The sender that will use the file; absent: the default sender of the account.')
  senderId?: string;
}

/** An upload in the OpenAPI document: these fields and the file. */
export class MediaUploadFormDto extends MediaUploadDto {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description:
      'Its type is detected from its bytes and must match the content type of its form part. Audio (AAC, AMR, MP3, MP4, OGG with Opus) and video (MP4, 3GP) up to 16 MB, images (JPEG, PNG) up to 5 MB, static stickers (WebP) up to 100 KB, animated ones up to 500 KB, documents (PDF, Word, Excel, PowerPoint, text) up to 100 MB. As a template example: JPEG, PNG, MP4 or PDF.',
  })
  file: unknown;
}

/** A file on the platform. */
export class MediaDto {
  @ApiProperty({
    description: 'The value for `headerMediaId` or for the media of a reply; null for a template example.',
    type: String,
    nullable: true,
    example: '1013859600285441',
  })
  mediaId: string | null;

  @ApiProperty({
    description: 'The value for the `exampleHandle` of a new template; null for a message.',
    type: String,
    nullable: true,
    example: null,
  })
  handle: string | null;

  @ApiProperty({ description: 'Type of message the file is sent as.', enum: KINDS, example: 'image' })
  kind: string;

  @ApiProperty({ description: 'The detected type.', example: 'image/jpeg' })
  mimeType: string;

  @ApiProperty({ description: 'Size in bytes.', type: 'integer', example: 48123 })
  size: number;

  @ApiProperty({
    description: 'SHA-256 of the bytes, in hex.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  sha256: string;

  @ApiProperty({ description: 'The name of the uploaded file.', example: 'summer.jpg' })
  fileName: string;

  @ApiProperty({
    description: 'When the media id expires on the platform, 30 days after the upload; null for an example.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: '2026-12-20T09:30:00.000Z',
  })
  expiresAt: string | null;

  static from({ fileName, sha256, size }: Upload, { expiresAt, ...media }: UploadedMedia): MediaDto {
    return { ...media, size, sha256, fileName, expiresAt: expiresAt?.toISOString() ?? null };
  }
}
