import { Injectable } from '@nestjs/common';
import { AccountWithoutSenderError, SenderDeletedError } from '../../accounts/domain/accounts.errors';
import { SendersService } from '../../accounts/domain/senders.service';
import { bareMimeType } from './inbound-file';
import { MediaNotFoundError, MediaUnavailableError } from './media.errors';
import { MAX_MEDIA_BYTES } from './media-fetches';
import { type OpenedFile, openedFile } from './opened-file';
import { PlatformMedia, PlatformMediaError } from './platform-media.port';

/** A file that was uploaded to the platform and sent. */
export interface SentFile {
  accountId: string;
  /** The sender that it was sent from; null: the oldest of the account. */
  senderId: string | null;
  mediaId: string;
}

/** The files of sent messages. Only the platform stores them, for 30 days. */
@Injectable()
export class SentMedia {
  constructor(
    private readonly senders: SendersService,
    private readonly platform: PlatformMedia,
  ) {}

  /** Downloads the file from the platform; throws MediaNotFoundError or MediaUnavailableError. */
  async open({ accountId, senderId, mediaId }: SentFile, signal: AbortSignal): Promise<OpenedFile> {
    try {
      const sender = await this.senders.recorded(accountId, senderId);
      const { url, mimeType, size } = await this.platform.find(sender, mediaId);
      const content = complete(this.platform.download(sender, url, signal), size);
      // The size that the platform names is checked at the end of the content only.
      const file = await openedFile(content, { mimeType: bareMimeType(mimeType), size: null });
      if (file.isEmpty) throw new MediaUnavailableError();
      return file;
    } catch (error) {
      if (error instanceof SenderDeletedError || error instanceof AccountWithoutSenderError) {
        throw new MediaNotFoundError('The sender of this message was deleted, and its files with it.');
      }
      if (!(error instanceof PlatformMediaError)) throw error;
      if (!error.unknown) throw new MediaUnavailableError();
      throw new MediaNotFoundError(
        'The platform does not have the file of this message, or no longer: it stores sent files for 30 days.',
      );
    }
  }
}

/** Passes the bytes on; throws if there are more or fewer than the platform announced, or more than any of its files has. */
async function* complete(content: AsyncIterable<Uint8Array>, announced: number | null): AsyncGenerator<Uint8Array> {
  const most = Math.min(announced ?? MAX_MEDIA_BYTES, MAX_MEDIA_BYTES);
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > most) throw new PlatformMediaError('The file is longer than announced.', false);
    yield chunk;
  }
  if (announced !== null && size < announced)
    throw new PlatformMediaError('The file is shorter than announced.', false);
}
