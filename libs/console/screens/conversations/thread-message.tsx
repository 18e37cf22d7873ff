import type { MessageDto } from '../../../client/generated/types.gen';
import { useSession } from '../../app/session';
import { bubbleOfMessage } from '../../ui/bubble/message-content';
import { MessageBubble } from '../../ui/bubble/message-bubble';
import { IconButton } from '../../ui/button';
import { Link } from '../../ui/link';
import { hasFailed } from '../messages/message-labels';
import { InboundMedia } from './inbound-media';
import type { Reaction, ThreadRow } from './thread-rows';

/** One message of a conversation, with reactions, quote and status. */
export function ThreadMessage({
  row,
  onReplyTo,
}: {
  row: Extract<ThreadRow, { kind: 'message' }>;
  onReplyTo: (message: MessageDto) => void;
}) {
  const session = useSession();
  const { message, reactions, quoted } = row;
  const { content, direction } = message;
  const isInbound = direction === 'Inbound';
  if (message.type === 'System') return <p className="thread-note">{message.renderedText ?? 'WhatsApp notice'}</p>;
  const canReply = session.can('messaging:manage') && message.platformMessageId !== null && !content?.revokedAt;
  return (
    <div className="thread-message" data-direction={isInbound ? 'in' : 'out'}>
      <MessageBubble
        content={bubbleOfMessage(message)}
        direction={isInbound ? 'in' : 'out'}
        at={message.createdAt}
        status={isInbound ? undefined : message.status}
        edited={content?.editedAt !== undefined}
        label={isInbound ? 'Received message' : 'Sent message'}
        quoted={quoted === undefined ? undefined : <Quoted message={quoted} />}
        media={isInbound && content?.media ? <InboundMedia message={message} /> : undefined}
        below={<Below message={message} reactions={reactions} />}
      />
      <span className="thread-actions">
        {canReply && <IconButton small icon="retry" label="Reply to this message" onClick={() => onReplyTo(message)} />}
        <Link to={`/messages/${message.id}`} className="thread-details">
          Details
        </Link>
      </span>
    </div>
  );
}

/** The quoted message of a reply. */
export function Quoted({ message }: { message: MessageDto | null }) {
  if (!message) return <span>An earlier message</span>;
  return (
    <>
      <strong>{message.direction === 'Inbound' ? 'Their message' : 'Your message'}</strong>
      <span className="quoted-text" dir="auto">
        {message.content?.revokedAt ? 'deleted' : (message.renderedText ?? message.type)}
      </span>
    </>
  );
}

function Below({ message, reactions }: { message: MessageDto; reactions: readonly Reaction[] }) {
  const { content, error, status, acceptance, jobId } = message;
  return (
    <>
      {reactions.length > 0 && (
        <span className="reactions">
          {reactions.map(({ direction, emoji }) => (
            <span key={direction} title={direction === 'Inbound' ? 'Their reaction' : 'Your reaction'}>
              {emoji}
            </span>
          ))}
        </span>
      )}
      {content?.forwarded && <span className="hint">Forwarded</span>}
      {content?.referral && (
        <span className="hint" dir="auto">
          From {content.referral.sourceType === 'ad' ? 'an advertisement' : 'a post'}
          {content.referral.headline && `: ${content.referral.headline}`}
        </span>
      )}
      {hasFailed(status) && error && (
        <span className="thread-failed">
          {error.message} <Link to={`/messages/${message.id}`}>How to fix it</Link>
        </span>
      )}
      {status === 'Unknown' && (
        <span className="hint">Outcome unknown: WhatsApp has not confirmed this message yet.</span>
      )}
      {status === 'Queued' && <span className="hint">Queued; will be sent automatically.</span>}
      {status === 'Sent' && acceptance === 'HeldForQualityAssessment' && (
        <span className="hint">WhatsApp is holding it while it assesses the quality of the template.</span>
      )}
      {jobId && <Link to={`/jobs/${jobId}`}>Part of a job</Link>}
    </>
  );
}
