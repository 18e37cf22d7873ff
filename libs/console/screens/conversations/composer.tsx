import { useState } from 'react';
import type { ConversationDto, MessageDto } from '../../../client/generated/types.gen';
import { useSession } from '../../app/session';
import { Link } from '../../ui/link';
import { useNow } from '../../ui/now';
import { Note } from '../../ui/states';
import { isOpen, nameOf, windowOf } from './conversation-labels';
import { ReplyForm } from './reply-form';
import { TemplateForm } from './template-form';

/**
 * The reply area of a conversation: free text within 24 hours of the person's last message, otherwise a template. Renders nothing
 * if the key may send neither.
 */
export function Composer({
  conversation,
  replyTo,
  onReplyTo,
}: {
  conversation: ConversationDto;
  replyTo: MessageDto | null;
  onReplyTo: (message: MessageDto | null) => void;
}) {
  const session = useSession();
  const now = useNow();
  // The draft survives the window closing while the user types.
  const [draft, setDraft] = useState('');
  const window = windowOf(conversation, now);
  const name = nameOf(conversation);
  const canReply = session.can('messaging:manage');
  const canSend = session.can('messaging:send');
  if (!canReply && !canSend) return null;
  if (conversation.optedOut) {
    return (
      <div className="answer">
        <Note tone="warning">
          {name} has opted out. You can message them again once they send START, or once the{' '}
          <Link to="/opt-outs">opt-out</Link> is removed at their request.
        </Note>
      </div>
    );
  }
  if (isOpen(window) && canReply) {
    return (
      <ReplyForm
        conversation={conversation}
        draft={draft}
        onDraft={setDraft}
        replyTo={replyTo}
        onReplyTo={onReplyTo}
        hint={`Reply window closes in ${window.left}`}
      />
    );
  }
  const reason = isOpen(window)
    ? 'Your key can send templates only; replies need the scope messaging:manage.'
    : window.state === 'never'
      ? `${name} has not messaged you yet. Until then you can only send a template.`
      : `The last message from ${name} is more than 24 hours old. You can only send a template until they reply.`;
  if (conversation.contactPhone === null) {
    return (
      <div className="answer">
        <Note>
          {name} hides their phone number, which templates require. You can reply once they message you again.
        </Note>
      </div>
    );
  }
  if (!canSend) {
    return (
      <div className="answer">
        <Note>{reason} Your key cannot send templates (messaging:send).</Note>
      </div>
    );
  }
  return <TemplateForm conversation={conversation} phone={conversation.contactPhone} reason={reason} />;
}
