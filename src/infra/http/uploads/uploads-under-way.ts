import { ServiceUnavailableError } from '../../../kernel/request.errors';

/** How much may be uploaded at once, in one process. */
export interface UploadBounds {
  /** Uploads of one account. */
  perAccount: number;
  /** Bytes of one account, as announced. */
  bytesPerAccount: number;
  /** Bytes of all accounts together. */
  bytes: number;
}

/** Too many uploads are under way, of this account or of all together. */
export class UploadsBusyError extends ServiceUnavailableError {
  override readonly retryAfterSeconds = 10;

  constructor() {
    super('Too many uploads are in progress; nothing was done. Upload the file again later.');
  }
}

interface Share {
  uploads: number;
  bytes: number;
}

/** Counts uploads from their first byte until their request is answered, as their files lie on the disk until then. */
export class UploadsUnderWay {
  private readonly accounts = new Map<string, Share>();
  private bytes = 0;

  constructor(private readonly bounds: UploadBounds) {}

  /** Admits an upload of at most `bytes`; returns what must be called at its end. Throws UploadsBusyError. */
  enter(accountId: string, bytes: number): () => void {
    const { perAccount, bytesPerAccount } = this.bounds;
    const share = this.accounts.get(accountId) ?? { uploads: 0, bytes: 0 };
    const fits =
      share.uploads < perAccount && share.bytes + bytes <= bytesPerAccount && this.bytes + bytes <= this.bounds.bytes;
    if (!fits) throw new UploadsBusyError();
    this.add(accountId, share, 1, bytes);
    return () => {
      this.add(accountId, share, -1, -bytes);
    };
  }

  private add(accountId: string, share: Share, uploads: number, bytes: number): void {
    share.uploads += uploads;
    share.bytes += bytes;
    this.bytes += bytes;
    if (share.uploads > 0) this.accounts.set(accountId, share);
    else this.accounts.delete(accountId);
  }
}
