import type { ReactNode } from 'react';
import { exactTime, timeOfDay } from '../format';
import { BubbleIcon } from './bubble-icon';
import type { BubbleButton, BubbleCard, BubbleContent, BubbleHeader, BubbleOffer } from './bubble-content';
import { FormattedText } from './formatted-text';
import { type MessageStatus, Ticks } from './ticks';
import { t } from '../../language/translate';

const MEDIA_LABELS = {
  image: t('Picture'),
  video: t('Video'),
  sticker: t('Sticker'),
  audio: t('Voice message'),
  product: t('Product'),
} as const;

/** Props of a message bubble. */
export interface MessageBubbleProps {
  content: BubbleContent;
  /** `out`: sent by the account, on the right. `in`: received, on the left. */
  direction?: 'out' | 'in';
  /** When it was sent or received, ISO 8601. */
  at?: string;
  status?: MessageStatus;
  /** Accessible name, such as “Message to row 2”. */
  label?: string;
  /** The message this one replies to, shown above its text. */
  quoted?: ReactNode;
  /** Replaces the header's picture, video or document with a component that loads it. */
  media?: ReactNode;
  /** Content below the bubble, such as an error or reactions. */
  below?: ReactNode;
  edited?: boolean;
}

/** One message as a phone shows it; the only message preview in the console. */
export function MessageBubble(props: MessageBubbleProps) {
  const { content, direction = 'out', at, status, label, quoted, media, below, edited } = props;
  const { header, body, footer, buttons = [], notice, offer, cards = [] } = content;
  return (
    <article className="bubble-place" data-direction={direction} aria-label={label}>
      <div className="bubble" data-sticker={header?.kind === 'sticker' || undefined}>
        {quoted && <div className="bubble-quoted">{quoted}</div>}
        {header && <Header header={header} media={media} />}
        {offer && <Offer offer={offer} />}
        {body !== '' && <Body text={body} />}
        {notice && <p className="bubble-notice">{notice}</p>}
        {footer && (
          <p className="bubble-footer" dir="auto">
            {footer}
          </p>
        )}
        {(at !== undefined || status !== undefined) && (
          <div className="bubble-meta">
            {edited && <span>{t('edited')}</span>}
            {at !== undefined && (
              <time dateTime={at} title={exactTime(new Date(at))}>
                {timeOfDay(new Date(at))}
              </time>
            )}
            {status && <Ticks status={status} />}
          </div>
        )}
        {buttons.length > 0 && <Buttons buttons={buttons} />}
      </div>
      {cards.length > 0 && <Cards cards={cards} />}
      {below}
    </article>
  );
}

function Body({ text }: { text: string }) {
  return (
    <div className="bubble-body" dir="auto">
      <FormattedText text={text} />
    </div>
  );
}

function Buttons({ buttons }: { buttons: readonly BubbleButton[] }) {
  return (
    <ul className="bubble-buttons" aria-label={t('Buttons')}>
      {buttons.map((button, index) => (
        <Button key={index} button={button} />
      ))}
    </ul>
  );
}

function Offer({ offer: { text, note } }: { offer: BubbleOffer }) {
  return (
    <div className="bubble-file">
      <BubbleIcon name="offer" size={24} />
      <span>
        <strong dir="auto">{text}</strong>
        {note && <small>{note}</small>}
      </span>
    </div>
  );
}

/** Scrolls sideways, also by key. */
function Cards({ cards }: { cards: readonly BubbleCard[] }) {
  return (
    <div className="bubble-cards" role="region" aria-label={t('Cards')} tabIndex={0}>
      {cards.map(({ header, body, buttons }, index) => (
        <div key={index} className="bubble" role="group" aria-label={t('Card {number, number}', { number: index + 1 })}>
          <Header header={header} media={null} />
          {body !== '' && <Body text={body} />}
          {buttons.length > 0 && <Buttons buttons={buttons} />}
        </div>
      ))}
    </div>
  );
}

function Header({ header, media }: { header: BubbleHeader; media: ReactNode }) {
  if (header.kind === 'text') {
    return (
      <div className="bubble-header" dir="auto">
        <FormattedText text={header.text} />
      </div>
    );
  }
  if (media) return <div className="bubble-media">{media}</div>;
  switch (header.kind) {
    case 'document':
      return (
        <div className="bubble-file">
          <BubbleIcon name="document" size={24} />
          <span dir="auto">{header.fileName ?? t('Document')}</span>
        </div>
      );
    case 'location':
      return (
        <div className="bubble-file">
          <BubbleIcon name="location" size={24} />
          <span dir="auto">
            {header.name ?? t('Location')}
            {header.address && <small>{header.address}</small>}
            {header.mapUrl && (
              <small>
                <a href={header.mapUrl} target="_blank" rel="noreferrer">
                  {t('Show on a map')}
                </a>
              </small>
            )}
          </span>
        </div>
      );
    default:
      return <Media kind={header.kind} src={header.src} />;
  }
}

function Media({ kind, src }: { kind: keyof typeof MEDIA_LABELS; src?: string | null }) {
  if (!src) {
    return (
      <div className="bubble-media bubble-media-absent">
        <BubbleIcon name={kind} size={32} />
        <span>{MEDIA_LABELS[kind]}</span>
      </div>
    );
  }
  return (
    <div className="bubble-media">
      {kind === 'video' ? (
        <video src={src} controls preload="metadata" aria-label={MEDIA_LABELS[kind]} />
      ) : kind === 'audio' ? (
        <audio src={src} controls preload="metadata" aria-label={MEDIA_LABELS[kind]} />
      ) : (
        <img src={src} alt={MEDIA_LABELS[kind]} />
      )}
    </div>
  );
}

function Button({ button: { kind, text, value } }: { button: BubbleButton }) {
  return (
    <li className="bubble-button" title={value ?? undefined}>
      <BubbleIcon name={kind} />
      <span dir="auto">{text}</span>
    </li>
  );
}
