import { useState } from 'react';
import type { ConversationDto, MessageDto } from '../../../client/generated/types.gen';
import { useSession } from '../../app/session';
import { Link } from '../../ui/link';
import { useNow } from '../../ui/now';
import { Note } from '../../ui/states';
import { isOpen, nameOf, windowOf } from './conversation-words';
import { ReplyForm } from './reply-form';
import { TemplateForm } from './template-form';

/**
 * How somebody can be answered now: freely within 24 hours of what they wrote, after that with a template. A key that may not
 * write sees nothing of it.
 */
export function Answer({
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
  // It outlives a window that closes while somebody writes.
  const [draft, setDraft] = useState('');
  const window = windowOf(conversation, now);
  const name = nameOf(conversation);
  const mayReply = session.can('messaging:manage');
  const maySend = session.can('messaging:send');
  if (!mayReply && !maySend) return null;
  if (conversation.optedOut) {
    return (
      <div className="answer">
        <Note tone="warning">
          {name} wants no messages. They can be written to again once they send START, or once the{' '}
          <Link to="/opt-outs">opt-out</Link> is taken back because they asked for it.
        </Note>
      </div>
    );
  }
  if (isOpen(window) && mayReply) {
    return (
      <ReplyForm
        conversation={conversation}
        draft={draft}
        onDraft={setDraft}
        replyTo={replyTo}
        onReplyTo={onReplyTo}
        hint={`${window.words} to answer freely`}
      />
    );
  }
  const why = isOpen(window)
    ? 'Your key sends templates only: answers need the scope messaging:manage.'
    : window.state === 'never'
      ? `${name} has not written yet. Until they do, only a template reaches them.`
      : `${name} wrote more than 24 hours ago. Only a template reaches them now; their answer opens the window again.`;
  if (conversation.contactPhone === null) {
    return (
      <div className="answer">
        <Note>{name} hides their number, and templates need one. They can be answered once they write again.</Note>
      </div>
    );
  }
  if (!maySend) {
    return (
      <div className="answer">
        <Note>{why} Your key has no scope for templates (messaging:send).</Note>
      </div>
    );
  }
  return <TemplateForm conversation={conversation} phone={conversation.contactPhone} why={why} />;
}
