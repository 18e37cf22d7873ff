import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { downloadMedia } from '../../client/generated/sdk.gen';
import type { MessageDto } from '../../client/generated/types.gen';
import { asMessagingError, call } from '../api/call';
import { queryKeys } from '../api/query-keys';
import { t } from '../language/translate';
import type { BubbleContent, BubbleHeader } from '../ui/bubble/bubble-content';
import { ErrorWords } from '../ui/error-words';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { useObjectUrl } from '../ui/object-url';
import { saveFile } from '../ui/save-file';

/** Media types that browsers display without executing content; excludes SVG and HTML. */
const DISPLAYABLE = /^(image\/(jpeg|png|webp)|video\/(mp4|3gpp)|audio\/(aac|amr|mpeg|mp4|ogg))$/;
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'application/pdf': 'pdf',
};

/** The kinds of files in a bubble, with the type of those whose message names none. */
const TYPES: Readonly<Partial<Record<BubbleHeader['kind'], string>>> = {
  image: 'image/jpeg',
  sticker: 'image/webp',
  video: 'video/mp4',
  audio: 'audio/ogg',
};

/** How long the platform stores a file that was sent. */
const SENT_FILE_MS = 30 * 86_400_000;

/** The file of a message, loaded from the service: pictures automatically, everything else on request. Undefined: it has none. */
export function mediaOf(message: MessageDto, { header }: BubbleContent): ReactNode {
  const media = message.content?.media;
  if (!media || !header) return undefined;
  if (message.direction === 'Outbound' && media.url !== undefined) return <LinkedFile media={media} />;
  return <MessageMedia message={message} kind={header.kind} />;
}

function LinkedFile({ media: { url, fileName } }: { media: { url?: string; fileName?: string } }) {
  return (
    <div className="media-note">
      <a href={url} target="_blank" rel="noreferrer" dir="auto">
        {fileName ?? t('Open the file')}
      </a>
    </div>
  );
}

function MessageMedia({ message, kind }: { message: MessageDto; kind: BubbleHeader['kind'] }) {
  const declared = declaredType(message) || TYPES[kind] || '';
  const isSent = message.direction === 'Outbound';
  const [isAsked, setAsked] = useState(false);
  // The kind may be known only once the template of the message is loaded.
  const isRequested = isAsked || (DISPLAYABLE.test(declared) && declared.startsWith('image/'));
  const hasExpired = isSent && Date.now() - Date.parse(message.createdAt) > SENT_FILE_MS;
  const file = useFile(message, isRequested && !hasExpired);
  // The service returns the declared type only if the bytes match it.
  const mimeType = file.data?.type || declared;
  const isDisplayable = DISPLAYABLE.test(mimeType);
  const isPicture = isDisplayable && mimeType.startsWith('image/');
  const url = useObjectUrl(isDisplayable ? file.data : undefined);
  const save = async () => {
    const found = file.data ?? (await file.refetch()).data;
    if (found) saveFile(found, fileNameOf(message, found.type));
  };
  if (!file.data && (hasExpired || (isSent && asMessagingError(file.error).code === 'media_not_found'))) {
    return (
      <MediaNote replaces={isAsked}>
        <p>{t('WhatsApp stores sent files for 30 days and no longer has this one.')}</p>
      </MediaNote>
    );
  }
  if (file.isError) {
    return (
      <MediaNote replaces={isAsked}>
        <p>
          <ErrorWords error={file.error} />
        </p>
        <Button small onClick={() => void file.refetch()}>
          {t('Try again')}
        </Button>
      </MediaNote>
    );
  }
  if (!isDisplayable) {
    return (
      <MediaNote replaces={isAsked}>
        <p dir="auto">{message.content?.media?.fileName ?? t('Document')}</p>
        {file.data && DISPLAYABLE.test(declared) && (
          <p className="hint" role="status">
            {t('Cannot be shown here: its content is not of the type that it is declared as.')}
          </p>
        )}
        <Button small icon="download" busy={file.isFetching} onClick={() => void save()}>
          {t('Download')}
        </Button>
      </MediaNote>
    );
  }
  if (!isPicture) {
    if (url) return <Player url={url} mimeType={mimeType} isSent={isSent} plays={isAsked} />;
    const isVideo = mimeType.startsWith('video/');
    return (
      <div className="media-note">
        <Button small icon="play" busy={isRequested} onClick={() => setAsked(true)}>
          {isRequested ? loadingOf(mimeType) : isVideo ? t('Play the video') : t('Play the voice message')}
        </Button>
      </div>
    );
  }
  if (!url) {
    return (
      <div className="media-note media-wait" role="status">
        {loadingOf(mimeType)}
      </div>
    );
  }
  return (
    <Picture
      url={url}
      alt={message.content?.text ?? (isSent ? t('Picture sent') : t('Picture received'))}
      onSave={() => void save()}
    />
  );
}

/** A picture, which opens large. */
function Picture({ url, alt, onSave }: { url: string; alt: string; onSave: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="media-picture" aria-label={t('Open picture')} onClick={() => setOpen(true)}>
        <img src={url} alt={alt} />
      </button>
      {isOpen && (
        <Dialog
          open
          wide
          title={t('Picture')}
          onClose={() => setOpen(false)}
          footer={
            <Button icon="download" onClick={onSave}>
              {t('Download')}
            </Button>
          }
        >
          <img className="large-picture" src={url} alt={alt} />
        </Dialog>
      )}
    </>
  );
}

/** Why a file is not shown. `replaces`: the button that was to show it, with its focus. */
function MediaNote({ replaces, children }: { replaces: boolean; children: ReactNode }) {
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (replaces && document.activeElement === document.body) note.current?.focus();
  }, [replaces]);
  return (
    <div ref={note} className="media-note" tabIndex={-1}>
      {children}
    </div>
  );
}

/** A video or a voice message. `plays`: at once, with the focus of the button that loaded it. */
function Player({ url, mimeType, isSent, plays }: { url: string; mimeType: string; isSent: boolean; plays: boolean }) {
  const player = useRef<HTMLMediaElement>(null);
  const show = useCallback((element: HTMLMediaElement | null) => {
    player.current = element;
  }, []);
  useEffect(() => {
    if (!plays) return;
    if (document.activeElement === document.body) player.current!.focus();
    // Where the browser allows no playback, the controls start it.
    player.current!.play().catch(() => undefined);
  }, [plays]);
  return mimeType.startsWith('video/') ? (
    <video ref={show} src={url} controls aria-label={isSent ? t('Video sent') : t('Video received')} />
  ) : (
    <audio ref={show} src={url} controls aria-label={isSent ? t('Voice message sent') : t('Voice message received')} />
  );
}

function useFile(message: MessageDto, isRequested: boolean) {
  return useQuery({
    queryKey: queryKeys.media(fileIdOf(message)),
    enabled: isRequested,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    gcTime: 60_000,
    queryFn: ({ signal }) => call(downloadMedia, { path: { messageId: message.id } }, { signal, as: 'blob' }),
    // The service downloads the file after the message arrives, which takes a few seconds; after a minute a person decides.
    retry: (failures, error) => asMessagingError(error).code === 'media_not_ready' && failures < 5,
    retryDelay: (failures) => 1500 * 2 ** failures,
  });
}

/** Keeps a file that this tab uploaded, so that its messages show it without a download. */
export function keepSentFile(queries: QueryClient, mediaId: string, file: File): void {
  queries.setQueryData<Blob>(queryKeys.media(mediaId), file);
}

/** A file that was uploaded once may be sent in many messages. */
function fileIdOf({ id, direction, content }: MessageDto): string {
  return (direction === 'Outbound' && content?.media?.mediaId) || id;
}

/** Its own name, or else what it is and when it was sent, such as `picture-2026-11-29-1042.jpg`. `type`: of the loaded file. */
function fileNameOf(message: MessageDto, type: string): string {
  const { content, createdAt } = message;
  if (content?.media?.fileName) return content.media.fileName;
  const mimeType = declaredType(message) || type;
  const extension = EXTENSIONS[mimeType];
  return `${wordFor(mimeType)}-${minuteOf(new Date(createdAt))}${extension ? `.${extension}` : ''}`;
}

function wordFor(mimeType: string): string {
  if (mimeType.startsWith('image/')) return t('picture', {}, 'name of a file');
  if (mimeType.startsWith('video/')) return t('video', {}, 'name of a file');
  return mimeType.startsWith('audio/') ? t('voice-message', {}, 'name of a file') : t('file', {}, 'name of a file');
}

/** A time of this browser as part of a file name: `2026-11-29-1042`. */
function minuteOf(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString();
  return `${local.slice(0, 10)}-${local.slice(11, 16).replace(':', '')}`;
}

/** The type as the person's client declared it, without parameters. */
function declaredType({ content }: Pick<MessageDto, 'content'>): string {
  return (content?.media?.mimeType ?? '').split(';')[0]!.trim().toLowerCase();
}

function loadingOf(mimeType: string): string {
  if (mimeType.startsWith('image/')) return t('Loading the picture…');
  return mimeType.startsWith('video/') ? t('Loading the video…') : t('Loading the voice message…');
}
