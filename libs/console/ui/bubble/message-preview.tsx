import { t } from '../../language/translate';
import { timeOfDay } from '../format';
import { useNow } from '../now';
import type { BubbleContent } from './bubble-content';
import { MessageBubble } from './message-bubble';
import { hasVariable } from './whatsapp-text';

const MINUTE_MS = 60_000;

/** A message as the phone of a recipient shows it. `sender`: the name or number it comes from; absent: unknown. */
export function MessagePreview({
  content,
  sender,
  label = t('Message'),
  hasSamples = true,
  at,
}: {
  content: BubbleContent;
  sender?: string;
  /** Accessible name, such as “Message to row 2”. */
  label?: string;
  /** Values that are not filled in are samples. */
  hasSamples?: boolean;
  /** When it was sent, in ISO 8601; absent: now. */
  at?: string;
}) {
  const now = new Date(Math.floor(useNow().getTime() / MINUTE_MS) * MINUTE_MS);
  const { body, header } = content;
  const hasOpen = hasVariable(body) || (header?.kind === 'text' && hasVariable(header.text));
  return (
    <div className="handset-place">
      <div className="handset">
        <p className="handset-status" aria-hidden="true">
          {timeOfDay(now)}
        </p>
        <p className="handset-sender">
          <span className="handset-avatar" aria-hidden="true">
            <svg viewBox="0 0 20 20" width={20} height={20} focusable="false">
              <path d="M4 17V8l6-4 6 4v9M8 17v-5h4v5" />
            </svg>
          </span>
          <span>
            <span className="visually-hidden">{t('Sender:')} </span>
            <bdi>{sender ?? t('Your number')}</bdi>
          </span>
        </p>
        <div className="bubble-wall">
          <MessageBubble label={label} content={content} at={at ?? now.toISOString()} />
        </div>
      </div>
      {hasSamples && hasOpen && <p className="hint">{t('Highlighted texts are samples.')}</p>}
    </div>
  );
}
