import { Injectable } from '@nestjs/common';
import { AccountStore } from './account-store.port';
import { AccountNotFoundError, SenderNotFoundError } from './accounts.errors';

/** A part of a file of the archive. */
export interface ArchivePiece {
  /** Path in the archive, such as `messages.jsonl`. */
  file: string;
  data: string | Uint8Array;
}

/** What an archive contains: everything of an account, or what belongs to one of its senders. */
export interface ArchiveScope {
  accountId: string;
  /** `oldestId`: the oldest sender of the account, to which records without a sender belong. */
  sender: { id: string; oldestId: string } | null;
}

/** Data of accounts that a module contributes to their archives. */
export interface ArchivePart {
  /** The data, file by file; without files that belong to no sender, if there is one. Reads a limited number of rows at a time. */
  pieces(of: ArchiveScope): AsyncGenerator<ArchivePiece>;
}

/** Everything that the service has of an account, or of one of its senders, in one archive. */
@Injectable()
export class AccountArchive {
  private readonly parts: ArchivePart[] = [];

  constructor(private readonly store: AccountStore) {}

  /** Adds data, in the order of adding. */
  add(part: ArchivePart): void {
    this.parts.push(part);
  }

  /** The archive of an account, file by file. Throws AccountNotFoundError before the first piece. */
  async *pieces(accountId: string): AsyncGenerator<ArchivePiece> {
    if (!(await this.store.byId(accountId))) throw new AccountNotFoundError();
    yield* this.piecesOf({ accountId, sender: null });
  }

  /** The archive of a sender, also of a deleted one, file by file. Throws SenderNotFoundError before the first piece. */
  async *piecesOfSender(accountId: string, senderId: string): AsyncGenerator<ArchivePiece> {
    const sender = await this.store.sender(senderId);
    if (sender?.accountId !== accountId) throw new SenderNotFoundError();
    const oldest = await this.store.oldestSender(accountId);
    yield* this.piecesOf({ accountId, sender: { id: senderId, oldestId: oldest!.id } });
  }

  private async *piecesOf(scope: ArchiveScope): AsyncGenerator<ArchivePiece> {
    for (const part of this.parts) yield* part.pieces(scope);
  }
}
