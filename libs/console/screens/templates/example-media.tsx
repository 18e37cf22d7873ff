import type { ReactNode } from 'react';
import { t } from '../../language/translate';
import { MediaDrop, useMediaUpload } from '../../app/media-upload';
import { type ExampleFormat, EXAMPLE_TYPES } from './example-types';

/** Uploads the example of a media header, which WhatsApp reviews. */
export function ExampleMedia({
  format,
  label,
  problem,
  onUploaded,
}: {
  format: ExampleFormat;
  label: string;
  problem?: ReactNode;
  /** `src`: object URL of the file, revoked when another one is selected; null: the file is not accepted. */
  onUploaded: (handle: string, src: string | null, fileName: string) => void;
}) {
  const accepted = EXAMPLE_TYPES[format];
  const upload = useMediaUpload({ purpose: 'TemplateExample' }, accepted, (chosen) =>
    onUploaded(chosen?.media?.handle ?? '', chosen?.src ?? null, chosen?.file.name ?? ''),
  );
  return (
    <div className="stack">
      <MediaDrop
        upload={upload}
        label={label}
        hint={t("{types}. For WhatsApp's review only; you choose the actual file when you send.", {
          types: accepted.words,
        })}
        problem={problem}
      />
    </div>
  );
}
