import { type ReactNode, useState } from 'react';
import { type AcceptedFiles, MediaDrop, useMediaUpload } from '../../app/media-upload';
import { t } from '../../language/translate';
import { Input } from '../../ui/field';
import { Note } from '../../ui/states';
import type { HeaderMedia } from './campaign-columns';
import type { TypedMedia } from './send-extras';

/** What the fields of a picture, video or document are called. */
interface MediaTexts {
  label: string;
  orUrl: string;
}

/** Each kind of file, and its texts in a header. */
const KINDS: Readonly<Record<HeaderMedia, MediaTexts & { accepted: AcceptedFiles; hint: string }>> = {
  Image: {
    accepted: { kind: 'image', words: t('JPEG or PNG'), accept: 'image/jpeg,image/png' },
    label: t('Drop the header picture here'),
    hint: t('JPEG or PNG, up to 5 MB. The same for all recipients.'),
    orUrl: t('Or a public URL of the picture'),
  },
  Video: {
    accepted: { kind: 'video', words: t('MP4 or 3GP'), accept: 'video/mp4,video/3gpp' },
    label: t('Drop the header video here'),
    hint: t('MP4 or 3GP, up to 16 MB. The same for all recipients.'),
    orUrl: t('Or a public URL of the video'),
  },
  Document: {
    accepted: {
      kind: 'document',
      words: t('PDF, Word, Excel, PowerPoint or text'),
      accept: '.pdf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.txt',
    },
    label: t('Drop the header document here'),
    hint: t('PDF, Office or text, up to 100 MB. The same for all recipients.'),
    orUrl: t('Or a public URL of the document'),
  },
};

/** The fields for a picture, video or document: an upload or a URL. */
export function MediaFields({
  media,
  texts = KINDS[media],
  first,
  senderId,
  problem,
  urlProblem,
  onChange,
}: {
  media: HeaderMedia;
  /** Absent: those of a header. */
  texts?: MediaTexts;
  /** Of an earlier visit. */
  first: TypedMedia;
  senderId?: string;
  problem: ReactNode;
  /** What is wrong with the URL. */
  urlProblem: ReactNode;
  /** `src`: the object URL of a file that was chosen in this visit. */
  onChange: (typed: TypedMedia, src: string | null) => void;
}) {
  const { accepted, hint } = KINDS[media];
  const { label, orUrl } = texts;
  const [url, setUrl] = useState(first.url ?? '');
  const [kept, setKept] = useState(first.file ?? null);
  const upload = useMediaUpload({ senderId }, accepted, (chosen) => {
    setKept(null);
    if (!chosen) return onChange({}, null);
    const { file, src, media: uploaded } = chosen;
    onChange({ file: { name: file.name, mediaId: uploaded?.mediaId ?? null } }, src);
  });
  const link = (address: string) => {
    setUrl(address);
    setKept(null);
    onChange({ url: address }, null);
  };
  return (
    <div className="stack">
      {kept &&
        (kept.mediaId ? (
          <Note>
            {t('{file} was uploaded earlier and is used, unless you choose another one.', { file: kept.name })}
          </Note>
        ) : (
          <Note tone="warning">
            {t('Choose {file} again: its upload was not complete. Nothing is sent without it.', { file: kept.name })}
          </Note>
        ))}
      <MediaDrop upload={upload} {...{ label, hint }} problem={upload.file ? undefined : problem} />
      {!upload.file && (
        <Input
          label={orUrl}
          type="url"
          value={url}
          placeholder="https://"
          hint={t('WhatsApp downloads it from there.')}
          error={urlProblem}
          onChange={link}
        />
      )}
    </div>
  );
}
