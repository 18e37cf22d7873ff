import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { MediaDto } from '../../client/generated/types.gen';
import { upload } from '../api/upload';
import { FileDrop } from '../ui/file-drop';
import { ProgressBar } from '../ui/progress-bar';
import { ErrorLine } from '../ui/states';
import { t } from '../language/translate';
import { keepSentFile } from './message-media';

/** A selected file; `media` is null until it is uploaded. */
interface SelectedMedia {
  file: File;
  /** Object URL of the file, revoked when another one is selected. */
  src: string;
  media: MediaDto | null;
}

/** Uploads each selected file to `/media` with `fields`. Calls `onChange` on selection and again once the upload is complete. */
export function useMediaUpload(
  fields: { purpose?: 'TemplateExample'; senderId?: string },
  onChange: (chosen: SelectedMedia) => void,
) {
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const shown = useRef<string | null>(null);
  const latest = useRef<File | null>(null);
  // What was typed during the upload must not be reset by the callback of the time before.
  const report = useRef(onChange);
  useEffect(() => {
    report.current = onChange;
  });
  useEffect(
    () => () => {
      latest.current = null;
      if (shown.current) URL.revokeObjectURL(shown.current);
    },
    [],
  );
  const select = async (next: File | null) => {
    if (!next) return;
    setFile(next);
    setError(null);
    setSent(0);
    latest.current = next;
    if (shown.current) URL.revokeObjectURL(shown.current);
    const src = URL.createObjectURL(next);
    shown.current = src;
    report.current({ file: next, src, media: null });
    try {
      const media = await upload<MediaDto>('/media', { ...fields, file: next }, { onProgress: setSent });
      if (media.mediaId) keepSentFile(queries, media.mediaId, next);
      if (latest.current === next) report.current({ file: next, src, media });
    } catch (thrown) {
      if (latest.current === next) setError(thrown);
    } finally {
      if (latest.current === next) setSent(null);
    }
  };
  return { file, sent, error, select };
}

/** Accepts the file of an upload and shows its progress or error. */
export function MediaDrop({
  upload: { file, sent, error, select },
  problem,
  ...texts
}: {
  upload: ReturnType<typeof useMediaUpload>;
  label: string;
  hint: string;
  accept: string;
  /** An error other than that of the upload. */
  problem?: ReactNode;
}) {
  return (
    <>
      <FileDrop {...texts} file={file} onFile={(chosen) => void select(chosen)} />
      {sent !== null && (
        <ProgressBar label={t('Upload')} total={1} parts={[{ label: t('sent'), value: sent, tone: 'active' }]} moving />
      )}
      {problem && sent === null && <p className="field-error">{problem}</p>}
      {error !== null && <ErrorLine error={error} />}
    </>
  );
}
