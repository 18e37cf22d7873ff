import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { bareMimeType, type FileToFetch, isPlatformMediaId } from './inbound-file';
import { InboundMediaStore } from './inbound-media-store.port';
import { MediaNotFoundError, MediaNotReadyError } from './media.errors';
import { MediaStore } from './media-store.port';

/** The file of a message, as it is given out. */
export interface OpenedFile {
  mimeType: string | null;
  /** In bytes. */
  size: number;
  content: AsyncIterable<Uint8Array>;
}

/** The files that people sent with their messages: fetched from the platform in the background, and kept here. */
@Injectable()
export class InboundMedia {
  private readonly workHandlers: (() => void)[] = [];

  constructor(
    private readonly store: InboundMediaStore,
    private readonly files: MediaStore,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Calls `handler` whenever files have become due to be fetched or deleted, once that is committed. */
  onWork(handler: () => void): void {
    this.workHandlers.push(handler);
  }

  /** Has files fetched once the surrounding unit of work is committed; a message that is known already changes nothing. */
  async fetchLater(files: readonly FileToFetch[]): Promise<void> {
    if (files.length === 0) return;
    await this.store.add(
      files.map((file) => {
        const named = isPlatformMediaId(file.platformMediaId);
        return {
          ...file,
          platformMediaId: named ? file.platformMediaId : '',
          mimeType: bareMimeType(file.mimeType),
          problem: named ? null : 'The platform named the media in a form that it does not have.',
        };
      }),
    );
    this.announce();
  }

  /** Deletes the files of messages: unknown with the surrounding unit of work, and off the disk soon after its commit. */
  async remove(messageIds: readonly string[]): Promise<void> {
    if (messageIds.length === 0) return;
    await this.store.remove(messageIds);
    this.announce();
  }

  /** Opens the file of a message of the account; throws MediaNotFoundError or MediaNotReadyError. */
  async open(accountId: string, messageId: string): Promise<OpenedFile> {
    const file = await this.store.find(accountId, messageId);
    if (!file) throw new MediaNotFoundError('There is no media of a message with this id in your account.');
    if (file.state === 'Gone') {
      throw new MediaNotFoundError(`The media of this message could not be had from the platform: ${file.problem}`);
    }
    if (file.state === 'Waiting') throw new MediaNotReadyError();
    const content = await this.files.open(messageId);
    if (!content) throw new MediaNotFoundError('The media of this message is not kept any more.');
    return { mimeType: file.mimeType, size: file.size ?? 0, content };
  }

  private announce(): void {
    this.unitOfWork.afterCommit(() => this.workHandlers.forEach((handler) => handler()));
  }
}
