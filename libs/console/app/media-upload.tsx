import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { MediaDto } from '../../client/generated/types.gen';
import { asMessagingError } from '../api/call';
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

/** The files that an upload takes: of one kind, in words such as “JPEG or PNG”, and for a file dialog. */
export interface AcceptedFiles {
  kind: 'image' | 'video' | 'document';
  words: string;
  accept: string;
}

/**
 * Uploads each selected file to `/media` with `fields`. Calls `onChange` on selection and again once the upload is complete; with null
 * for a file of another kind than `accepted`, which is not kept.
 */
export function useMediaUpload(
  fields: { purpose?: 'TemplateExample'; senderId?: string },
  accepted: AcceptedFiles,
  onChange: (chosen: SelectedMedia | null) => void,
) {
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  /** The name of a file that was not accepted. */
  const [refused, setRefused] = useState<string | null>(null);
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
    setError(null);
    setRefused(null);
    latest.current = next;
    if (shown.current) URL.revokeObjectURL(shown.current);
    shown.current = null;
    const refuse = () => {
      setFile(null);
      setRefused(next.name);
      report.current(null);
    };
    if (isOfOtherKind(next.type, accepted)) {
      setSent(null);
      return refuse();
    }
    setFile(next);
    setSent(0);
    const src = URL.createObjectURL(next);
    shown.current = src;
    report.current({ file: next, src, media: null });
    try {
      const media = await upload<MediaDto>('/media', { ...fields, file: next }, { onProgress: setSent });
      if (media.mediaId) keepSentFile(queries, media.mediaId, next);
      if (latest.current !== next) return;
      // The service goes by the content, which the browser does not know.
      if (media.kind === accepted.kind) report.current({ file: next, src, media });
      else refuse();
    } catch (thrown) {
      if (latest.current !== next) return;
      if (asMessagingError(thrown).code === 'unsupported_file_type') refuse();
      else setError(thrown);
    } finally {
      if (latest.current === next) setSent(null);
    }
  };
  return { file, sent, error, refused, accepted, select };
}

/** Whether the type that the browser gives a file, if any, is certainly of another kind. */
function isOfOtherKind(type: string, { kind }: AcceptedFiles): boolean {
  if (type === '') return false;
  return kind === 'document' ? /^(?:audio|image|video)\//.test(type) : !type.startsWith(`${kind}/`);
}

/** Accepts the file of an upload and shows its progress or error. */
export function MediaDrop({
  upload: { file, sent, error, refused, accepted, select },
  problem,
  ...texts
}: {
  upload: ReturnType<typeof useMediaUpload>;
  label: string;
  hint: string;
  /** An error other than that of the upload. */
  problem?: ReactNode;
}) {
  return (
    <>
      <FileDrop {...texts} accept={accepted.accept} file={file} onFile={(chosen) => void select(chosen)} />
      {sent !== null && (
        <ProgressBar label={t('Upload')} total={1} parts={[{ label: t('sent'), value: sent, tone: 'active' }]} moving />
      )}
      {refused !== null && (
        <p className="field-error" role="alert">
          {t('“{file}” cannot be used here. Choose another file: {types}.', { file: refused, types: accepted.words })}
        </p>
      )}
      {problem && refused === null && sent === null && <p className="field-error">{problem}</p>}
      {error !== null && <ErrorLine error={error} />}
    </>
  );
}
