import type { ReactNode } from 'react';
import { t } from '../../language/translate';
import { MediaDrop, useMediaUpload } from '../../app/media-upload';
import { type ExampleFormat, EXAMPLE_TYPES } from './example-types';

/** Uploads the example of a media header, which WhatsApp reviews. */
export function ExampleMedia({
  format,
  problem,
  onUploaded,
}: {
  format: ExampleFormat;
  problem?: ReactNode;
  /** `src`: object URL of the file, revoked when another one is selected. */
  onUploaded: (handle: string, src: string, fileName: string) => void;
}) {
  const upload = useMediaUpload({ purpose: 'TemplateExample' }, ({ src, media, file }) =>
    onUploaded(media?.handle ?? '', src, file.name),
  );
  const { words, accept } = EXAMPLE_TYPES[format];
  return (
    <div className="stack">
      <MediaDrop
        upload={upload}
        label={t('Drop an example here')}
        hint={t("{types}. For WhatsApp's review only; you choose the actual file when you send.", { types: words })}
        accept={accept}
        problem={problem}
      />
    </div>
  );
}
