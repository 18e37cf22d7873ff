import { ServiceUnavailableError } from '../../../kernel/request.errors';

/** Limits of concurrent uploads per process. */
export interface UploadBounds {
  /** Number of uploads of an account. */
  perAccount: number;
  /** Received bytes of an account. */
  bytesPerAccount: number;
  /** Received bytes of all accounts. */
  bytes: number;
}

/** An admitted upload. */
export interface AdmittedUpload {
  /** Counts received bytes; throws UploadsBusyError beyond the limits. */
  add(bytes: number): void;
  /** Releases the upload's share once the request has been answered. */
  leave(): void;
}

/** Too many uploads are in progress, of this account or of all accounts. */
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
 * Counts uploads from their first byte until their request is answered, since their files are on disk until then. Only received bytes
 * count, so that an upload with a large declared length that sends little does not block others.
 */
export class ActiveUploads {
  private readonly accounts = new Map<string, Share>();
  private bytes = 0;

  constructor(private readonly bounds: UploadBounds) {}

  /** Admits an upload if the declared `bytes` fit in addition to those received so far; otherwise throws UploadsBusyError. */
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
