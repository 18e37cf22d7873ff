import { useState } from 'react';
import type { ConversationDto } from '../../../client/generated/types.gen';
import { useSession } from '../../app/session';
import type { Draft } from '../../app/use-draft';
import { rich, t } from '../../language/translate';
import { Link } from '../../ui/link';
import { useNow } from '../../ui/now';
import { Note } from '../../ui/states';
import { isOpen, nameOf, windowOf } from './conversation-labels';
import { type ReplyDraft, ReplyForm } from './reply-form';
import { TemplateForm } from './template-form';

/**
 * The reply area of a conversation: free text within 24 hours of the person's last message, otherwise a template. Renders nothing
 * if the key may send neither.
 */
export function Composer({ conversation, draft }: { conversation: ConversationDto; draft: Draft<ReplyDraft> }) {
  const session = useSession();
  const now = useNow();
  const window = windowOf(conversation, now);
  /** The end of the window in which WhatsApp refused a reply; a new message of the person opens another. */
  const [refusedUntil, setRefusedUntil] = useState<string | null>(null);
  const isRefused = refusedUntil !== null && refusedUntil === conversation.windowExpiresAt;
  const name = nameOf(conversation);
  const canReply = session.can('messaging:manage');
  const canSend = session.can('messaging:send');
  if (!canReply && !canSend) return null;
  if (conversation.optedOut) {
    return (
      <div className="answer">
        <Note tone="warning">
          {rich(
            '{name} has opted out. You can message them again once they send START, or once the <a>opt-out</a> is removed at their request.',
            { name, a: (text) => <Link to="/opt-outs">{text}</Link> },
          )}
        </Note>
      </div>
    );
  }
  if (isOpen(window) && !isRefused && canReply) {
    return (
      <ReplyForm
        conversation={conversation}
        draft={draft}
        hint={t('Reply window closes in {time}.', { time: window.left })}
        onWindowClosed={() => setRefusedUntil(conversation.windowExpiresAt)}
      />
    );
  }
  const reason = isRefused
    ? t(
        'Your reply was not sent: the last message from {name} is more than 24 hours old. You can only send a template until they write again; your text is kept until then.',
        { name },
      )
    : isOpen(window)
      ? t('Your key can send templates only; replies need the scope messaging:manage.')
      : window.state === 'never'
        ? t('{name} has not messaged you yet. Until then you can only send a template.', { name })
        : t('The last message from {name} is more than 24 hours old. You can only send a template until they reply.', {
            name,
          });
  if (conversation.contactPhone === null) {
    return (
      <div className="answer">
        <Note>
          {t('{name} hides their phone number, which templates require. You can reply once they message you again.', {
            name,
          })}
        </Note>
      </div>
    );
  }
  if (!canSend) {
    return (
      <div className="answer">
        <Note>
          {reason} {t('Your key cannot send templates (messaging:send).')}
        </Note>
      </div>
    );
  }
  return <TemplateForm conversation={conversation} phone={conversation.contactPhone} reason={reason} />;
}
