import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { bareMimeType, type FileToFetch, isPlatformMediaId } from './inbound-file';
import { InboundMediaStore } from './inbound-media-store.port';
import { MediaNotFoundError, MediaNotReadyError } from './media.errors';
import { MediaStore } from './media-store.port';
import { type OpenedFile, openedFile } from './opened-file';

/** The files of inbound messages, fetched from the platform in the background and stored here. */
@Injectable()
export class InboundMedia {
  private readonly workHandlers: (() => void)[] = [];

  constructor(
    private readonly store: InboundMediaStore,
    private readonly files: MediaStore,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Calls `handler` after each commit that makes files due to be fetched or deleted. */
  onWork(handler: () => void): void {
    this.workHandlers.push(handler);
  }

  /** Schedules files to be fetched after the surrounding unit of work commits; files already recorded are ignored. */
  async fetchLater(files: readonly FileToFetch[]): Promise<void> {
    if (files.length === 0) return;
    await this.store.add(
      files.map((file) => {
        const isValid = isPlatformMediaId(file.platformMediaId);
        return {
          ...file,
          platformMediaId: isValid ? file.platformMediaId : '',
          mimeType: bareMimeType(file.mimeType),
          problem: isValid ? null : 'The media id from the platform has an invalid format.',
        };
      }),
    );
    this.announce();
  }

  /** Removes the files of messages within the surrounding unit of work; their bytes are deleted soon after its commit. */
  async remove(messageIds: readonly string[]): Promise<void> {
    if (messageIds.length === 0) return;
    await this.store.remove(messageIds);
    this.announce();
  }

  /** Opens the file of a message of the account; throws MediaNotFoundError or MediaNotReadyError. */
  async open(accountId: string, messageId: string): Promise<OpenedFile> {
    const file = await this.store.find(accountId, messageId);
    if (!file) throw new MediaNotFoundError('Your account has no message with media and this id.');
    if (file.state === 'Gone') {
      throw new MediaNotFoundError(`The media of this message could not be fetched from the platform: ${file.problem}`);
    }
    if (file.state === 'Waiting') throw new MediaNotReadyError();
    const content = await this.files.open(messageId);
    if (!content) throw new MediaNotFoundError('The media of this message is no longer stored.');
    return openedFile(content, file);
  }

  private announce(): void {
    this.unitOfWork.afterCommit(() => this.workHandlers.forEach((handler) => handler()));
  }
}
