import { useEffect, useRef, useState } from 'react';
import type { MediaDto } from '../../../client/generated/types.gen';
import { upload } from '../../api/upload';
import { FileDrop } from '../../ui/file-drop';
import { ProgressBar } from '../../ui/progress-bar';
import { ErrorLine } from '../../ui/states';

/** Uploads the example of a media header, which WhatsApp looks at in its review. */
export function ExampleMedia({
  problem,
  onUploaded,
}: {
  problem?: string;
  /** `src`: where the picture can be seen from here, until the next one. */
  onUploaded: (handle: string, src: string | null) => void;
}) {
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const shown = useRef<string | null>(null);
  const latest = useRef<File | null>(null);
  useEffect(
    () => () => {
      latest.current = null;
      if (shown.current) URL.revokeObjectURL(shown.current);
    },
    [],
  );
  const take = async (chosen: File | null) => {
    if (!chosen) return;
    setFile(chosen);
    setError(null);
    setSent(0);
    latest.current = chosen;
    if (shown.current) URL.revokeObjectURL(shown.current);
    shown.current = URL.createObjectURL(chosen);
    onUploaded('', shown.current);
    try {
      const form = { file: chosen, purpose: 'TemplateExample' };
      const { handle } = await upload<MediaDto>('/media', form, { onProgress: setSent });
      if (latest.current === chosen && handle) onUploaded(handle, shown.current);
    } catch (thrown) {
      if (latest.current === chosen) setError(thrown);
    } finally {
      if (latest.current === chosen) setSent(null);
    }
  };
  return (
    <div className="stack">
      <FileDrop
        label="Drop an example here"
        hint="JPEG, PNG, MP4 or PDF. WhatsApp looks at it in its review; people get what you choose when you send."
        accept="image/jpeg,image/png,video/mp4,application/pdf"
        file={file}
        onFile={(chosen) => void take(chosen)}
      />
      {sent !== null && (
        <ProgressBar label="Upload" total={1} parts={[{ label: 'sent', value: sent, tone: 'active' }]} moving />
      )}
      {problem && sent === null && <p className="field-error">{problem}</p>}
      {error !== null && <ErrorLine error={error} />}
    </div>
  );
}
