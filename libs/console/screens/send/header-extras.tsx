import { useState } from 'react';
import type { TemplateDto } from '../../../client/generated/types.gen';
import { type AcceptedFiles, MediaDrop, useMediaUpload } from '../../app/media-upload';
import { t } from '../../language/translate';
import type { HeaderExtras } from '../../ui/bubble/template-values';
import { Input } from '../../ui/field';
import { Note } from '../../ui/states';
import { type HeaderMedia, mediaOf } from './campaign-columns';

/** Header content of a send, the same for all recipients: the request fields and the preview. */
export interface SendExtras {
  fields: {
    headerMediaId?: string;
    headerMediaUrl?: string;
    headerMediaFileName?: string;
    headerLocation?: { latitude: number; longitude: number; name: string; address: string };
  };
  bubble: HeaderExtras;
  /** Whether all required content is present. */
  complete: boolean;
  /** From which a draft restores the rest. */
  typed: TypedHeader;
}

/** The content of a header that a draft keeps. */
export interface TypedHeader {
  url?: string;
  file?: UploadedFile;
  place?: Place;
}

/** A file as the service knows it: drafts are kept for a day, the file for 30. */
interface UploadedFile {
  name: string;
  /** Null until the upload is complete. */
  mediaId: string | null;
}

interface Place {
  name: string;
  address: string;
  latitude: string;
  longitude: string;
}

const NO_PLACE: Place = { name: '', address: '', latitude: '', longitude: '' };

const KINDS: Readonly<
  Record<HeaderMedia, { accepted: AcceptedFiles; label: string; hint: string; orUrl: string; first: string }>
> = {
  Image: {
    accepted: { kind: 'image', words: t('JPEG or PNG'), accept: 'image/jpeg,image/png' },
    label: t('Drop the header picture here'),
    hint: t('JPEG or PNG, up to 5 MB. The same for all recipients.'),
    orUrl: t('Or a public URL of the picture'),
    first: t('Add the header picture first.'),
  },
  Video: {
    accepted: { kind: 'video', words: t('MP4 or 3GP'), accept: 'video/mp4,video/3gpp' },
    label: t('Drop the header video here'),
    hint: t('MP4 or 3GP, up to 16 MB. The same for all recipients.'),
    orUrl: t('Or a public URL of the video'),
    first: t('Add the header video first.'),
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
    first: t('Add the header document first.'),
  },
};
/** The longest file name of a document. */
const MAX_FILE_NAME = 240;

/** For templates whose header needs no content. */
const NO_EXTRAS: SendExtras = { fields: {}, bubble: {}, complete: true, typed: {} };
/** While nothing is chosen for a header that needs content. */
const ABSENT: SendExtras = { ...NO_EXTRAS, complete: false };

/** What a step says that waits for the content of the header. */
export function headerFirst(template: Pick<TemplateDto, 'headerFormat'>): string {
  const media = mediaOf(template);
  return media ? KINDS[media].first : t('Enter the header location first.');
}

/** The header content of a template that follows from what was typed or uploaded, if anything was. */
export function extrasOf(
  template: Pick<TemplateDto, 'headerFormat'>,
  { url, file, place }: TypedHeader = {},
): SendExtras {
  if (template.headerFormat === 'Location') return place ? extrasOfPlace(place) : ABSENT;
  const media = mediaOf(template);
  if (!media) return NO_EXTRAS;
  if (file) return extrasOfFile(media, file, null);
  return url ? extrasOfUrl(url) : ABSENT;
}

function extrasOfFile(media: HeaderMedia, file: UploadedFile, src: string | null): SendExtras {
  const { name, mediaId } = file;
  return {
    fields: mediaId
      ? { headerMediaId: mediaId, ...(media === 'Document' && { headerMediaFileName: name.slice(0, MAX_FILE_NAME) }) }
      : {},
    bubble: { src, fileName: name },
    complete: mediaId !== null,
    typed: { file },
  };
}

function extrasOfUrl(url: string): SendExtras {
  return {
    fields: { headerMediaUrl: url },
    bubble: { src: null, fileName: url.split('/').at(-1) || null },
    complete: /^https:\/\/\S+\.\S+/.test(url),
    typed: { url },
  };
}

function extrasOfPlace(place: Place): SendExtras {
  const { name, address } = place;
  const [latitude, longitude] = [numberOf(place.latitude, 90), numberOf(place.longitude, 180)];
  const complete = latitude !== null && longitude !== null && name.trim() !== '' && address.trim() !== '';
  return {
    fields: complete ? { headerLocation: { latitude, longitude, name: name.trim(), address: address.trim() } } : {},
    bubble: { location: { name: name || t('Location'), address } },
    complete,
    typed: { place },
  };
}

/** The fields for the picture, video, document or location of the header. */
export function HeaderExtrasFields({
  template,
  typed,
  senderId,
  isMissed,
  onChange,
}: {
  template: TemplateDto;
  /** Of an earlier visit. */
  typed?: TypedHeader;
  /** Whose messages will have it; absent: the default sender's. */
  senderId?: string;
  /** Everything else is there: says what is missing. */
  isMissed?: boolean;
  onChange: (extras: SendExtras) => void;
}) {
  const problem = isMissed ? t('The header is incomplete. Nothing can be sent without it.') : undefined;
  if (template.headerFormat === 'Location') {
    return <PlaceFields first={typed?.place ?? NO_PLACE} problem={problem} onChange={onChange} />;
  }
  const media = mediaOf(template);
  if (!media) return null;
  return <MediaFields {...{ media, senderId, problem, onChange }} first={typed ?? {}} />;
}

function MediaFields({
  media,
  first,
  senderId,
  problem,
  onChange,
}: {
  media: HeaderMedia;
  /** Of an earlier visit. */
  first: TypedHeader;
  senderId?: string;
  problem: string | undefined;
  onChange: (extras: SendExtras) => void;
}) {
  const { accepted, label, hint, orUrl } = KINDS[media];
  const [url, setUrl] = useState(first.url ?? '');
  const [kept, setKept] = useState(first.file ?? null);
  const upload = useMediaUpload({ senderId }, accepted, (chosen) => {
    setKept(null);
    if (!chosen) return onChange(ABSENT);
    const { file, src, media: uploaded } = chosen;
    onChange(extrasOfFile(media, { name: file.name, mediaId: uploaded?.mediaId ?? null }, src));
  });
  const link = (address: string) => {
    setUrl(address);
    setKept(null);
    onChange(extrasOfUrl(address));
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
          onChange={link}
        />
      )}
    </div>
  );
}

function PlaceFields({
  first,
  problem,
  onChange,
}: {
  first: Place;
  problem: string | undefined;
  onChange: (extras: SendExtras) => void;
}) {
  const [place, setPlace] = useState(first);
  const change = (changed: Partial<Place>) => {
    const next = { ...place, ...changed };
    setPlace(next);
    onChange(extrasOfPlace(next));
  };
  const wrong = (text: string, most: number) =>
    text !== '' && numberOf(text, most) === null ? t('Enter a number from -{most} to {most}.', { most }) : undefined;
  return (
    <div className="send-fields">
      <Input label={t('Location name')} value={place.name} onChange={(name) => change({ name })} />
      <Input label={t('Location address')} value={place.address} onChange={(address) => change({ address })} />
      <Input
        label={t('Latitude')}
        inputMode="decimal"
        placeholder="52.5200"
        value={place.latitude}
        error={wrong(place.latitude, 90)}
        onChange={(latitude) => change({ latitude })}
      />
      <Input
        label={t('Longitude')}
        inputMode="decimal"
        placeholder="13.4050"
        value={place.longitude}
        error={wrong(place.longitude, 180)}
        onChange={(longitude) => change({ longitude })}
      />
      {problem && <p className="field-error">{problem}</p>}
    </div>
  );
}

function numberOf(text: string, most: number): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(value) || Math.abs(value) > most ? null : value;
}
