import type { ReactNode } from 'react';
import { t } from '../../language/translate';
import { MediaDrop, useMediaUpload } from '../../app/media-upload';

/** Uploads the example of a media header, which WhatsApp reviews. */
export function ExampleMedia({
  problem,
  onUploaded,
}: {
  problem?: ReactNode;
  /** `src`: object URL of the file, revoked when another one is selected. */
  onUploaded: (handle: string, src: string) => void;
}) {
  const upload = useMediaUpload({ purpose: 'TemplateExample' }, ({ src, media }) =>
    onUploaded(media?.handle ?? '', src),
  );
  return (
    <div className="stack">
      <MediaDrop
        upload={upload}
        label={t('Drop an example here')}
        hint={t("JPEG, PNG, MP4 or PDF. For WhatsApp's review only; you choose the actual file when you send.")}
        accept="image/jpeg,image/png,video/mp4,application/pdf"
        problem={problem}
      />
    </div>
  );
}
