import { t } from '../../language/translate';
import type { AcceptedFiles } from '../../app/media-upload';
import type { Draft } from './template-draft';

/** A header that needs an example file. */
export type ExampleFormat = 'Image' | 'Video' | 'Document';

/** The types of files that WhatsApp takes as the example of each header: in words, and for a file dialog. */
export const EXAMPLE_TYPES: Readonly<Record<ExampleFormat, AcceptedFiles>> = {
  Image: { kind: 'image', words: t('JPEG or PNG'), accept: 'image/jpeg,image/png' },
  Video: { kind: 'video', words: t('MP4'), accept: 'video/mp4' },
  Document: { kind: 'document', words: t('PDF'), accept: 'application/pdf' },
};

/** The header of the draft, if it needs an example file. */
export function exampleFormat({ headerFormat }: Draft): ExampleFormat | null {
  return headerFormat in EXAMPLE_TYPES ? (headerFormat as ExampleFormat) : null;
}
