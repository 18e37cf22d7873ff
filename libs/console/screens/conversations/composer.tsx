import { useCallback, useEffect, useRef, useState } from 'react';
import type { ConversationDto } from '../../../client/generated/types.gen';
import { optOutsAddress } from '../../app/marketing-opt-out';
import { useSession } from '../../app/session';
import { useShortcut } from '../../app/shortcuts';
import { type Draft, useKeptDraft } from '../../app/use-draft';
import { rich, t } from '../../language/translate';
import { Link } from '../../ui/link';
import { useNow } from '../../ui/now';
import { PhoneNumber } from '../../ui/phone-number';
import { Note } from '../../ui/states';
import { type ColleagueDone, ColleagueDoneNote } from './colleague-done';
import { ColleagueNote, type ColleagueReply } from './colleague-reply';
import { isOpen, windowOf } from './conversation-labels';
import { nameOf } from './person-name';
import type { ReplyDraft } from './reply-draft';
import { ReplyForm } from './reply-form';
import { TemplateForm, templateDraftOf } from './template-form';

/** What takes the focus in a conversation opened by keyboard; each object moves it once. */
export interface Arrival {
  at: 'heading' | 'reply';
}

interface Answered {
  conversation: ConversationDto;
  draft: Draft<ReplyDraft>;
  colleague: ColleagueReply;
  /** Each object leads to the reply, whose draft has changed. */
  refill: object | null;
}

/** The reply area of a conversation. It takes the focus on R, with an `arrival` at the reply, and with each `refill` of the draft. */
export function Composer({ arrival, done, ...answered }: Answered & { arrival: Arrival | null; done: ColleagueDone }) {
  const place = useRef<HTMLDivElement>(null);
  const focus = useCallback(() => {
    const first = (controls: string) => place.current?.querySelector<HTMLElement>(controls);
    const control =
      first('textarea, input:not([tabindex="-1"])') ?? first('[data-variant=primary]') ?? first('a, button');
    control?.focus();
    // What is typed replaces a suggested value.
    if (control instanceof HTMLInputElement) control.select();
  }, []);
  const keys = useShortcut('R', focus);
  useEffect(() => {
    if (arrival?.at === 'reply') focus();
  }, [arrival, focus]);
  const { refill } = answered;
  useEffect(() => {
    if (refill) focus();
  }, [refill, focus]);
  return (
    <div ref={place} className="thread-answer">
      <ColleagueDoneNote {...done} />
      <ColleagueNote {...answered.colleague} />
      <Answer {...answered} keys={keys} onSwitch={focus} />
    </div>
  );
}

/**
 * Free text within 24 hours of the person's last message, and templates at any time. Renders nothing if the key may send neither. Calls
 * `onSwitch` when another form is shown.
 */
function Answer({
  conversation,
  draft,
  colleague,
  refill,
  keys,
  onSwitch,
}: Answered & { keys: string | undefined; onSwitch: () => void }) {
  const session = useSession();
  const now = useNow();
  const window = windowOf(conversation, now);
  /** The end of the window in which WhatsApp refused a reply; a new message of the person opens another. */
  const [refusedUntil, setRefusedUntil] = useState<string | null>(null);
  const isRefused = refusedUntil !== null && refusedUntil === conversation.windowExpiresAt;
  const hasTemplateDraft = useKeptDraft(templateDraftOf(conversation.id)) !== null;
  const [isTemplate, setTemplate] = useState(isOpen(window) && hasTemplateDraft);
  const [shownRefill, setShownRefill] = useState(refill);
  if (refill !== shownRefill) {
    setShownRefill(refill);
    setTemplate(false);
  }
  const shownTemplate = useRef(isTemplate);
  useEffect(() => {
    if (isTemplate !== shownTemplate.current) onSwitch();
    shownTemplate.current = isTemplate;
  }, [isTemplate, onSwitch]);
  const phone = conversation.contactPhone;
  const name =
    conversation.contactName === null && phone !== null ? <PhoneNumber value={phone} /> : nameOf(conversation);
  const canReply = session.can('messaging:manage');
  const canSend = session.can('messaging:send');
  if (!canReply && !canSend) return null;
  if (conversation.optedOut) {
    return (
      <div className="answer">
        <Note tone="warning">
          {rich(
            '{name} has opted out. You can message them again once they send START, or once the <a>opt-out</a> is removed at their request.',
            { name, a: (text) => <Link to={optOutsAddress({ phone, userId: conversation.userId })}>{text}</Link> },
          )}
        </Note>
      </div>
    );
  }
  if (isOpen(window) && !isRefused && canReply) {
    const canSendTemplate = canSend && phone !== null;
    if (isTemplate && canSendTemplate) {
      return (
        <TemplateForm conversation={conversation} phone={phone} onChosen={onSwitch} onEnd={() => setTemplate(false)} />
      );
    }
    return (
      <ReplyForm
        conversation={conversation}
        draft={draft}
        keys={keys}
        hint={t('Reply window closes in {time}.', { time: window.left })}
        mustConfirm={colleague.ask}
        onTemplate={canSendTemplate ? () => setTemplate(true) : undefined}
        onWindowClosed={() => setRefusedUntil(conversation.windowExpiresAt)}
      />
    );
  }
  const reason = isRefused
    ? rich(
        'Your reply was not sent: the last message from {name} is more than 24 hours old. You can only send a template until they write again; your text is kept until then.',
        { name },
      )
    : isOpen(window)
      ? t('Your key can send templates only; replies need the scope messaging:manage.')
      : window.state === 'never'
        ? rich('{name} has not messaged you yet. Until then you can only send a template.', { name })
        : rich(
            'The last message from {name} is more than 24 hours old. You can only send a template until they reply.',
            {
              name,
            },
          );
  if (phone === null) {
    return (
      <div className="answer">
        <Note>
          {rich(
            '{name} hides their phone number, which templates require. You can reply once they message you again.',
            {
              name,
            },
          )}
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
  return <TemplateForm conversation={conversation} phone={phone} reason={reason} onChosen={onSwitch} />;
}
