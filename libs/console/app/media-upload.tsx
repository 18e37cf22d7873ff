import { useEffect, useRef, useState } from 'react';
import type { MediaDto } from '../../client/generated/types.gen';
import { upload } from '../api/upload';
import { FileDrop } from '../ui/file-drop';
import { ProgressBar } from '../ui/progress-bar';
import { ErrorLine } from '../ui/states';

/** A file that was chosen; `media` is null until it is uploaded. */
interface ChosenMedia {
  file: File;
  /** Where the file can be seen from here, until the next one is chosen. */
  src: string;
  media: MediaDto | null;
}

/** Uploads what is chosen to `/media`, with `fields`. `onChange` hears of each file when it is chosen and when it is uploaded. */
export function useMediaUpload(fields: { purpose?: 'TemplateExample' }, onChange: (chosen: ChosenMedia) => void) {
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
  const take = async (next: File | null) => {
    if (!next) return;
    setFile(next);
    setError(null);
    setSent(0);
    latest.current = next;
    if (shown.current) URL.revokeObjectURL(shown.current);
    const src = URL.createObjectURL(next);
    shown.current = src;
    onChange({ file: next, src, media: null });
    try {
      const media = await upload<MediaDto>('/media', { ...fields, file: next }, { onProgress: setSent });
      if (latest.current === next) onChange({ file: next, src, media });
    } catch (thrown) {
      if (latest.current === next) setError(thrown);
    } finally {
      if (latest.current === next) setSent(null);
    }
  };
  return { file, sent, error, take };
}

/** Takes the file of an upload, and shows how far it is or why it failed. */
export function MediaDrop({
  upload: { file, sent, error, take },
  problem,
  ...texts
}: {
  upload: ReturnType<typeof useMediaUpload>;
  label: string;
  hint: string;
  accept: string;
  /** What else is wrong with it. */
  problem?: string;
}) {
  return (
    <>
      <FileDrop {...texts} file={file} onFile={(chosen) => void take(chosen)} />
      {sent !== null && (
        <ProgressBar label="Upload" total={1} parts={[{ label: 'sent', value: sent, tone: 'active' }]} moving />
      )}
      {problem && sent === null && <p className="field-error">{problem}</p>}
      {error !== null && <ErrorLine error={error} />}
    </>
  );
}
