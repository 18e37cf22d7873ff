import { Injectable } from '@nestjs/common';
import { AccountWithoutSenderError, SenderDeletedError } from '../../accounts/domain/accounts.errors';
import { SendersService } from '../../accounts/domain/senders.service';
import { bareMimeType } from './inbound-file';
import { MediaNotFoundError, MediaUnavailableError } from './media.errors';
import { type OpenedFile, openedFile } from './opened-file';
import { PlatformMedia, PlatformMediaError } from './platform-media.port';
import { ReceivedBytes } from './received-bytes';

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
      const found = await this.platform.find(sender, mediaId);
      const received = new ReceivedBytes(this.platform.download(sender, found.url, signal), found);
      // The announced size is checked at the end of the content only.
      const file = await openedFile(received.verified(), { mimeType: bareMimeType(found.mimeType), size: null });
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
