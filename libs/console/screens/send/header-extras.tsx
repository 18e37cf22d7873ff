import { useState } from 'react';
import type { TemplateDto } from '../../../client/generated/types.gen';
import { MediaDrop, useMediaUpload } from '../../app/media-upload';
import { Input } from '../../ui/field';
import type { HeaderExtras } from '../../ui/bubble/template-values';

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
}

const KINDS = {
  Image: { word: 'picture', accept: 'image/jpeg,image/png', limit: 'JPEG or PNG, up to 5 MB' },
  Video: { word: 'video', accept: 'video/mp4,video/3gpp', limit: 'MP4 or 3GP, up to 16 MB' },
  Document: {
    word: 'document',
    accept: '.pdf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.txt',
    limit: 'PDF, Office or text, up to 100 MB',
  },
} as const;

/** For templates whose header needs no content. */
const NO_EXTRAS: SendExtras = { fields: {}, bubble: {}, complete: true };

/** Whether the header of a template needs a media file or location. */
function needsExtras({ headerFormat }: Pick<TemplateDto, 'headerFormat'>): boolean {
  return headerFormat in KINDS || headerFormat === 'Location';
}

/** The initial header content of a template. */
export function firstExtras(template: Pick<TemplateDto, 'headerFormat'>): SendExtras {
  return { ...NO_EXTRAS, complete: !needsExtras(template) };
}

/** The fields for the picture, video, document or location of the header. */
export function HeaderExtrasFields({
  template,
  onChange,
}: {
  template: TemplateDto;
  onChange: (extras: SendExtras) => void;
}) {
  const { headerFormat } = template;
  if (headerFormat === 'Location') return <PlaceFields onChange={onChange} />;
  if (headerFormat === 'Image' || headerFormat === 'Video' || headerFormat === 'Document') {
    return <MediaFields kind={headerFormat} onChange={onChange} />;
  }
  return null;
}

function MediaFields({ kind, onChange }: { kind: keyof typeof KINDS; onChange: (extras: SendExtras) => void }) {
  const { word, accept, limit } = KINDS[kind];
  const [url, setUrl] = useState('');
  const upload = useMediaUpload({}, ({ file, src, media }) => {
    const bubble = { src, fileName: file.name };
    const fields = media?.mediaId && {
      headerMediaId: media.mediaId,
      ...(kind === 'Document' && { headerMediaFileName: file.name.slice(0, 240) }),
    };
    onChange({ fields: fields || {}, bubble, complete: Boolean(fields) });
  });
  const link = (address: string) => {
    setUrl(address);
    const fileName = address.split('/').at(-1) || null;
    onChange({
      fields: { headerMediaUrl: address },
      bubble: { src: null, fileName },
      complete: /^https:\/\/\S+\.\S+/.test(address),
    });
  };
  return (
    <div className="stack">
      <MediaDrop
        upload={upload}
        label={`Drop the header ${word} here`}
        hint={`${limit}. The same for all recipients.`}
        accept={accept}
      />
      {!upload.file && (
        <Input
          label={`Or a public URL of the ${word}`}
          type="url"
          value={url}
          placeholder="https://"
          hint="WhatsApp downloads it from there."
          onChange={link}
        />
      )}
    </div>
  );
}

function PlaceFields({ onChange }: { onChange: (extras: SendExtras) => void }) {
  const [place, setPlace] = useState({ name: '', address: '', latitude: '', longitude: '' });
  const change = (changed: Partial<typeof place>) => {
    const next = { ...place, ...changed };
    setPlace(next);
    const [latitude, longitude] = [numberOf(next.latitude, 90), numberOf(next.longitude, 180)];
    const { name, address } = next;
    const complete = latitude !== null && longitude !== null && name.trim() !== '' && address.trim() !== '';
    const fields = complete
      ? { headerLocation: { latitude, longitude, name: name.trim(), address: address.trim() } }
      : {};
    onChange({ fields, bubble: { location: { name: name || 'Location', address } }, complete });
  };
  const wrong = (text: string, most: number) =>
    text !== '' && numberOf(text, most) === null ? `Enter a number from -${most} to ${most}.` : undefined;
  return (
    <div className="send-fields">
      <Input label="Location name" value={place.name} onChange={(name) => change({ name })} />
      <Input label="Location address" value={place.address} onChange={(address) => change({ address })} />
      <Input
        label="Latitude"
        inputMode="decimal"
        placeholder="52.5200"
        value={place.latitude}
        error={wrong(place.latitude, 90)}
        onChange={(latitude) => change({ latitude })}
      />
      <Input
        label="Longitude"
        inputMode="decimal"
        placeholder="13.4050"
        value={place.longitude}
        error={wrong(place.longitude, 180)}
        onChange={(longitude) => change({ longitude })}
      />
    </div>
  );
}

function numberOf(text: string, most: number): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(value) || Math.abs(value) > most ? null : value;
}
