import type { ConversationMessageDto, MessageDto } from '../../../client/generated/types.gen';
import { explanationOf } from '../../api/explanations';
import { useMessageTemplate } from '../../app/message-template';
import { mediaOf } from '../../app/message-media';
import { useSession } from '../../app/session';
import { hasFailed } from '../../app/states';
import { textOf } from '../../app/vocabulary';
import { t } from '../../language/translate';
import { ServiceText } from '../../ui/error-words';
import { bubbleOfMessage } from '../../ui/bubble/message-content';
import { MessageBubble } from '../../ui/bubble/message-bubble';
import { Button, IconButton } from '../../ui/button';
import { Link } from '../../ui/link';
import { JobLink } from '../job/job-link';
import { isFailedText, type Reaction, type ThreadRow } from './thread-rows';

/** What a person can do with a message where a reply is possible. */
export interface MessageActions {
  onReplyTo: (message: MessageDto) => void;
  /** Writes the text of a failed reply again; `quoted`: the message that it quotes. */
  onSendAgain: (text: string, quoted: MessageDto | null | undefined) => void;
  /** Whether these lines are in the reply field or being sent, so that they need not be written again. */
  isWritten(text: string): boolean;
}

/** One message of a conversation, with reactions, quote and status. */
export function ThreadMessage({
  row,
  actions,
}: {
  row: Extract<ThreadRow, { kind: 'message' }>;
  /** Absent: no reply is possible. */
  actions?: MessageActions;
}) {
  const { message, reactions, quoted } = row;
  const shown = bubbleOfMessage(message, useMessageTemplate(message));
  const { content, direction } = message;
  const isInbound = direction === 'Inbound';
  if (message.type === 'System') return <p className="thread-note">{message.renderedText ?? t('WhatsApp notice')}</p>;
  const canReplyTo = actions && message.platformMessageId !== null && !content?.revokedAt;
  // Files, templates and reactions are not in the text.
  const failedText = isFailedText(message) && !row.isRepeated ? message.renderedText : null;
  return (
    // A tap puts the focus here, which shows the actions.
    <div className="thread-message" tabIndex={-1} data-direction={isInbound ? 'in' : 'out'}>
      <MessageBubble
        content={shown}
        direction={isInbound ? 'in' : 'out'}
        at={message.createdAt}
        status={isInbound ? undefined : message.status}
        edited={content?.editedAt !== undefined}
        label={isInbound ? t('Received message') : t('Sent message')}
        quoted={quoted === undefined ? undefined : <Quoted message={quoted} />}
        media={mediaOf(message, shown)}
        below={
          <>
            <Below message={message} reactions={reactions} />
            {actions && failedText !== null && !actions.isWritten(failedText) && (
              <Button small icon="retry" onClick={() => actions.onSendAgain(failedText, quoted)}>
                {t('Send again')}
              </Button>
            )}
          </>
        }
      />
      <span className="thread-actions">
        {canReplyTo && (
          <IconButton
            small
            icon="reply"
            label={t('Reply to this message')}
            onClick={() => actions.onReplyTo(message)}
          />
        )}
        <Link to={`/messages/${message.id}`} className="thread-details">
          {t('Details')}
        </Link>
      </span>
    </div>
  );
}

/** The quoted message of a reply. */
export function Quoted({ message }: { message: MessageDto | null }) {
  if (!message) return <span>{t('An earlier message')}</span>;
  return (
    <>
      <strong>{message.direction === 'Inbound' ? t('Their message') : t('Your message')}</strong>
      <span className="quoted-text" dir="auto">
        {message.content?.revokedAt ? t('deleted') : textOf(message)}
      </span>
    </>
  );
}

function Below({ message, reactions }: { message: ConversationMessageDto; reactions: readonly Reaction[] }) {
  const session = useSession();
  const { content, error, status, acceptance, jobId, sentBy } = message;
  return (
    <>
      {reactions.length > 0 && (
        <span className="reactions">
          {reactions.map(({ direction, emoji }) => (
            <span key={direction} title={direction === 'Inbound' ? t('Their reaction') : t('Your reaction')}>
              {emoji}
            </span>
          ))}
        </span>
      )}
      {content?.forwarded && <span className="hint">{t('Forwarded')}</span>}
      {content?.referral && (
        <span className="hint" dir="auto">
          {originOf(content.referral)}
        </span>
      )}
      {hasFailed(status) && error && (
        <span className="thread-failed">
          {/* The details have the platform's words. */}
          {explanationOf(error.code)?.when ?? <ServiceText text={error.message} />}{' '}
          <Link to={`/messages/${message.id}`}>{t('How to fix it')}</Link>
        </span>
      )}
      {status === 'Unknown' && (
        <span className="hint">{t('Outcome unknown: WhatsApp has not confirmed this message yet.')}</span>
      )}
      {status === 'Queued' && <span className="hint">{t('Queued; will be sent automatically.')}</span>}
      {status === 'Sent' && acceptance === 'HeldForQualityAssessment' && (
        <span className="hint">{t('WhatsApp is holding it while it assesses the quality of the template.')}</span>
      )}
      {sentBy && !jobId && (
        <span className="hint">
          {t('by {name}', { name: sentBy.keyName ?? t('A deleted key') }, 'the sender of a reply')}
        </span>
      )}
      {jobId &&
        (session.can('jobs:read') ? <JobLink jobId={jobId} /> : <span className="hint">{t('Part of a job')}</span>)}
    </>
  );
}

/** The ad or post from which the person came. */
function originOf({ sourceType, headline }: NonNullable<NonNullable<MessageDto['content']>['referral']>): string {
  if (!headline) return sourceType === 'ad' ? t('From an advertisement') : t('From a post');
  return sourceType === 'ad'
    ? t('From an advertisement: {headline}', { headline })
    : t('From a post: {headline}', { headline });
}
