import { Injectable } from '@nestjs/common';
import { AccountStore } from './account-store.port';
import { AccountNotFoundError } from './accounts.errors';

/** A part of a file of the archive. */
export interface ArchivePiece {
  /** Path in the archive, such as `messages.jsonl`. */
  file: string;
  data: string | Uint8Array;
}

/** Data of accounts that a module contributes to their archives. */
export interface ArchivePart {
  /** The account's data, file by file. Reads a limited number of rows at a time. */
  pieces(accountId: string): AsyncGenerator<ArchivePiece>;
}

/** Everything that the service has of an account, in one archive. */
@Injectable()
export class AccountArchive {
  private readonly parts: ArchivePart[] = [];

  constructor(private readonly store: AccountStore) {}

  /** Adds data, in the order of adding. */
  add(part: ArchivePart): void {
    this.parts.push(part);
  }

  /** The archive file by file. Throws AccountNotFoundError before the first piece. */
  async *pieces(accountId: string): AsyncGenerator<ArchivePiece> {
    if (!(await this.store.byId(accountId))) throw new AccountNotFoundError();
    for (const part of this.parts) yield* part.pieces(accountId);
  }
}
