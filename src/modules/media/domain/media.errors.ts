import { DomainError } from '../../../kernel/domain-error';

/** A message of the account has no media, or none that can still be had. */
export class MediaNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'media_not_found';
}

/** The media of a message is still being fetched from the platform. */
export class MediaNotReadyError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'media_not_ready';
  override readonly retryAfterSeconds = 5;

  constructor() {
    super('The media is still being fetched from the platform. Repeat the request in a few seconds.');
  }
}

/** A file without a single byte. */
export class EmptyMediaError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'file_empty';

  constructor() {
    super('The file is empty. Send one that has content.');
  }
}

/** A file that is of no type that the platform takes; `message` says which it takes, or what contradicts what. */
export class UnsupportedMediaError extends DomainError {
  readonly kind = 'unsupported_type';
  readonly code = 'unsupported_file_type';
}

/** A file that is larger than the platform takes of its kind; `limit` in bytes. */
export class MediaTooLargeError extends DomainError {
  readonly kind = 'too_large';
  readonly code = 'file_too_large';
  override readonly extra: { limit: number };

  constructor(mimeType: string, limit: number) {
    super(`A file of type ${mimeType} may have at most ${limit} bytes. Send a smaller one.`);
    this.extra = { limit };
  }
}

/** The platform refused a file for good. */
export class MediaRejectedError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'platform_rejected';
  override readonly extra: { platformCode: number };

  constructor(reason: string, platformCode: number) {
    super(`The platform refused the file: ${reason}`);
    this.extra = { platformCode };
  }
}

/** The platform cannot take a file now, or did not answer. */
export class MediaPlatformAwayError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform_unavailable';
  override readonly retryAfterSeconds = 5;

  constructor() {
    super('The messaging platform cannot take the file at the moment. Upload it again later: that does no harm.');
  }
}
