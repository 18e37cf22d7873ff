import { MediaDrop, useMediaUpload } from '../../app/media-upload';

/** Uploads the example of a media header, which WhatsApp looks at in its review. */
export function ExampleMedia({
  problem,
  onUploaded,
}: {
  problem?: string;
  /** `src`: where the picture can be seen from here, until the next one. */
  onUploaded: (handle: string, src: string) => void;
}) {
  const upload = useMediaUpload({ purpose: 'TemplateExample' }, ({ src, media }) =>
    onUploaded(media?.handle ?? '', src),
  );
  return (
    <div className="stack">
      <MediaDrop
        upload={upload}
        label="Drop an example here"
        hint="JPEG, PNG, MP4 or PDF. WhatsApp looks at it in its review; people get what you choose when you send."
        accept="image/jpeg,image/png,video/mp4,application/pdf"
        problem={problem}
      />
    </div>
  );
}
