import { domainError } from '../../../kernel/domain-error';
import { FileEmptyError, FileTooLargeError, UnsupportedFileTypeError } from '../../../kernel/file.errors';
import { PlatformRejectedError, PlatformUnavailableError } from '../../../kernel/platform.errors';

/** The message does not exist, or its media is not available. */
export class MediaNotFoundError extends domainError({
  code: 'media_not_found',
  kind: 'not_found',
  when: 'The message has no media, or its file is no longer available.',
  remedy: 'Download media soon: the platform stores received files for 7 days and sent ones for 30.',
}) {
  constructor(message = 'Your account has no message with media and this id.') {
    super(message);
  }
}

/** The media of a message is still being fetched from the platform. */
export class MediaNotReadyError extends domainError({
  code: 'media_not_ready',
  kind: 'conflict',
  when: 'The file is still being downloaded from the platform.',
  remedy: 'Send the request again after `Retry-After` seconds.',
}) {
  override readonly retryAfterSeconds = 5;

  constructor() {
    super('The file is still being downloaded from the platform. Send the request again in a few seconds.');
  }
}

/** An empty file. */
export class EmptyMediaError extends FileEmptyError {
  constructor() {
    super('The file is empty. Upload a file with content.');
  }
}

/** The type of the file is unsupported, ambiguous or contradicts its declaration; `message` says which. */
export class UnsupportedMediaError extends UnsupportedFileTypeError {}

/** The file exceeds the platform's limit for its type; `limit` in bytes. */
export class MediaTooLargeError extends FileTooLargeError {
  constructor(mimeType: string, limit: number) {
    super(`A file of type ${mimeType} may have at most ${limit} bytes. Upload a smaller one.`, limit);
  }
}

/** The platform refused the file permanently. */
export class MediaRejectedError extends PlatformRejectedError {
  override readonly extra: { platformCode: number };

  constructor(reason: string, platformCode: number) {
    super(`The platform refused the file: ${reason}`);
    this.extra = { platformCode };
  }
}

/** The platform cannot return a sent file at the moment. */
export class MediaUnavailableError extends PlatformUnavailableError {
  constructor() {
    super('The messaging platform cannot return the file right now. Send the request again later.');
  }
}

/** The platform cannot accept a file at the moment, or did not answer. */
export class MediaPlatformUnavailableError extends PlatformUnavailableError {
  constructor() {
    super('The messaging platform cannot accept the file right now. Upload it again later.');
  }
}
