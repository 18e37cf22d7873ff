import { Injectable } from '@nestjs/common';
import { InboundMedia } from '../../media/domain/inbound-media';
import { MediaNotFoundError } from '../../media/domain/media.errors';
import type { OpenedFile } from '../../media/domain/opened-file';
import { SentMedia } from '../../media/domain/sent-media';
import { MessageArchive } from './message-archive.port';
import { shownContent } from './stored-message';

/** The files of messages in both directions. */
@Injectable()
export class MessageFiles {
  constructor(
    private readonly archive: MessageArchive,
    private readonly inbound: InboundMedia,
    private readonly sent: SentMedia,
  ) {}

  /** Opens the file of a message of the account; throws MediaNotFoundError, MediaNotReadyError or MediaUnavailableError. */
  async open(accountId: string, messageId: string, signal: AbortSignal): Promise<OpenedFile> {
    const found = await this.archive.find(accountId, messageId);
    if (found?.message.direction !== 'Outbound') return this.inbound.open(accountId, messageId);
    const { senderId } = found.message;
    const media = shownContent(found.message)?.media;
    if (media?.mediaId) return this.sent.open({ accountId, senderId, mediaId: media.mediaId }, signal);
    throw new MediaNotFoundError(
      media?.url === undefined
        ? 'This message was sent without a file.'
        : 'This message was sent with a link to its file: see `content.media.url` of the message.',
    );
  }
}
