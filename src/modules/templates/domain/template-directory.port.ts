import type { Sender } from '../../accounts/domain/sender';
import type { PlatformTemplate } from './template';

/** A template, or a page of them, that could not be read; fields are null where they are not known. */
export interface SyncFailure {
  name: string | null;
  languageCode: string | null;
  reason: string;
}

/** One page of the platform's list. */
export interface DirectoryPage {
  templates: PlatformTemplate[];
  /** Entries whose category, status or form is not understood. */
  unreadable: SyncFailure[];
}

/** A page of the platform's list that could not be fetched; `message` says why. */
export class DirectoryUnavailableError extends Error {}

/** The platform's own list of a business account's templates. */
export abstract class TemplateDirectory {
  /** Every page to the end of the list; throws DirectoryUnavailableError when one cannot be fetched. */
  abstract pages(sender: Sender): AsyncIterable<DirectoryPage>;
}
