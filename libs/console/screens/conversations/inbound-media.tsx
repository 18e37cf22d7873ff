import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { downloadMedia } from '../../../client/generated/sdk.gen';
import type { MessageDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { Button } from '../../ui/button';
import { saveFile } from '../../ui/save-file';

/** What a browser draws or plays without running anything in it: no SVG, no HTML. */
const SHOWN = /^(image\/(jpeg|png|webp)|video\/(mp4|3gpp)|audio\/(aac|amr|mpeg|mp4|ogg))$/;
const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'application/pdf': 'pdf',
};

/** A file that somebody sent: a picture shows by itself, everything else is fetched when it is asked for. */
export function InboundMedia({ message }: { message: MessageDto }) {
  const declared = declaredType(message);
  const [isWanted, setWanted] = useState(SHOWN.test(declared) && declared.startsWith('image/'));
  const file = useFile(message, isWanted);
  // The service gives the type only of bytes that match it.
  const mimeType = file.data?.type ?? declared;
  const isShown = SHOWN.test(mimeType);
  const isPicture = isShown && mimeType.startsWith('image/');
  const url = useUrl(isShown ? file.data : undefined);
  const save = async () => {
    const found = file.data ?? (await file.refetch()).data;
    if (found) saveFile(found, fileNameOf(message));
  };
  if (file.isError) {
    return (
      <div className="media-note">
        <p>{asMessagingError(file.error).message}</p>
        <Button small onClick={() => void file.refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (!isShown) {
    return (
      <div className="media-note">
        <p dir="auto">{message.content?.media?.fileName ?? 'Document'}</p>
        <Button small icon="download" busy={file.isFetching} onClick={() => void save()}>
          Download
        </Button>
      </div>
    );
  }
  if (!url) {
    return isWanted ? (
      <div className="media-note media-wait" role="status">
        Loading the {wordOf(mimeType)}…
      </div>
    ) : (
      <div className="media-note">
        <Button small icon="play" onClick={() => setWanted(true)}>
          Load the {wordOf(mimeType)}
        </Button>
      </div>
    );
  }
  if (isPicture) {
    return (
      <button type="button" className="media-picture" aria-label="Save the picture" onClick={() => void save()}>
        <img src={url} alt={message.content?.text ?? 'Picture from the person'} />
      </button>
    );
  }
  return mimeType.startsWith('video/') ? (
    <video src={url} controls aria-label="Video from the person" />
  ) : (
    <audio src={url} controls aria-label="Voice message from the person" />
  );
}

function useFile(message: MessageDto, isWanted: boolean) {
  return useQuery({
    queryKey: ['media', message.id],
    enabled: isWanted,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    gcTime: 60_000,
    queryFn: ({ signal }) => call(downloadMedia, { path: { messageId: message.id } }, { signal, as: 'blob' }),
    // It is fetched from the platform when its message arrives: that takes a moment.
    retry: (failures, error) => asMessagingError(error).code === 'media_not_ready' && failures < 20,
    retryDelay: 1500,
  });
}

/** An address in this page for a file; it goes when nothing shows it any more. */
function useUrl(file: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(null);
    };
  }, [file]);
  return url;
}

function fileNameOf({ id, content }: MessageDto): string {
  const ending = ENDINGS[declaredType({ content })];
  return content?.media?.fileName ?? `${id}${ending ? `.${ending}` : ''}`;
}

/** The type as the person's client gave it, without parameters. */
function declaredType({ content }: Pick<MessageDto, 'content'>): string {
  return (content?.media?.mimeType ?? '').split(';')[0]!.trim().toLowerCase();
}

function wordOf(mimeType: string): string {
  if (mimeType.startsWith('image/')) return 'picture';
  return mimeType.startsWith('video/') ? 'video' : 'voice message';
}
