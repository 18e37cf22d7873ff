import { ServiceUnavailableError } from '../../../kernel/request.errors';

/** How much may be uploaded at once, in one process. */
export interface UploadBounds {
  /** Uploads of one account. */
  perAccount: number;
  /** Bytes received for one account. */
  bytesPerAccount: number;
  /** Bytes received for all accounts together. */
  bytes: number;
}

/** An upload that has been admitted. */
export interface AdmittedUpload {
  /** Counts received bytes; throws UploadsBusyError beyond the bounds. */
  add(bytes: number): void;
  /** Releases what the upload takes; the request has been answered. */
  leave(): void;
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

/**
 * Counts uploads from their first byte until their request is answered, as their files lie on the disk until then. Only received bytes
 * count: an upload that announces many and sends few takes nothing from others.
 */
export class UploadsUnderWay {
  private readonly accounts = new Map<string, Share>();
  private bytes = 0;

  constructor(private readonly bounds: UploadBounds) {}

  /** Admits an upload if the announced `bytes` fit beside those received so far. Throws UploadsBusyError. */
  enter(accountId: string, bytes: number): AdmittedUpload {
    const share = this.accounts.get(accountId) ?? { uploads: 0, bytes: 0 };
    if (share.uploads >= this.bounds.perAccount || !this.fits(share, bytes)) throw new UploadsBusyError();
    this.accounts.set(accountId, share);
    share.uploads += 1;
    let received = 0;
    const count = (more: number): void => {
      received += more;
      share.bytes += more;
      this.bytes += more;
    };
    return {
      add: (more) => {
        count(more);
        if (!this.fits(share, 0)) throw new UploadsBusyError();
      },
      leave: () => {
        count(-received);
        share.uploads -= 1;
        if (share.uploads === 0) this.accounts.delete(accountId);
      },
    };
  }

  private fits(share: Share, bytes: number): boolean {
    return share.bytes + bytes <= this.bounds.bytesPerAccount && this.bytes + bytes <= this.bounds.bytes;
  }
}
