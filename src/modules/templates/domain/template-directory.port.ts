import type { Sender, SenderProblem } from '../../accounts/domain/sender';
import type { PlatformTemplate } from './template';

/** A template or page that could not be read; unknown fields are null. */
export interface SyncFailure {
  name: string | null;
  languageCode: string | null;
  reason: string;
}

/** One page of the platform's list. */
export interface DirectoryPage {
  templates: PlatformTemplate[];
  /** Entries with an unknown category, status or form. */
  unreadable: SyncFailure[];
}

/** A page of the platform's list could not be fetched; `message` says why. */
export class DirectoryUnavailableError extends Error {}

/** The platform refused the sender's access token. */
export class DirectoryRefusedError extends DirectoryUnavailableError {
  constructor(
    message: string,
    readonly problem: SenderProblem,
    readonly platformCode: number,
  ) {
    super(message);
  }
}

/** The platform's list of a business account's templates. */
export abstract class TemplateDirectory {
  /** All pages of the list; throws DirectoryUnavailableError if one cannot be fetched. */
  abstract pages(sender: Sender): AsyncIterable<DirectoryPage>;
}
