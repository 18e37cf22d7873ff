import { useCallback, useEffect, useRef, useState } from 'react';
import type { ConversationDto } from '../../../client/generated/types.gen';
import { optOutsAddress } from '../../app/marketing-opt-out';
import { useSession } from '../../app/session';
import { useShortcut } from '../../app/shortcuts';
import { type Draft, useKeptDraft } from '../../app/use-draft';
import { rich, t } from '../../language/translate';
import { Link } from '../../ui/link';
import { PhoneNumber } from '../../ui/phone-number';
import { Note } from '../../ui/states';
import { Time } from '../../ui/time';
import { type ColleagueDone, ColleagueDoneNote } from './colleague-done';
import { ColleagueNote, type ColleagueReply } from './colleague-reply';
import { isOpen } from './conversation-labels';
import { useOptOut } from './conversation-queries';
import { nameOf } from './person-name';
import type { ReplyDraft } from './reply-draft';
import { ReplyForm } from './reply-form';
import { rememberRefusal, useReplyWindow } from './reply-window';
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
    (control ?? place.current)?.focus();
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
  const holdsFocus = useRef(false);
  const onReplaced = useCallback(() => {
    // The form was removed, and the focus with it.
    if (holdsFocus.current && document.activeElement === document.body) focus();
  }, [focus]);
  return (
    <div
      ref={place}
      className="thread-answer"
      tabIndex={-1}
      onFocus={() => {
        holdsFocus.current = true;
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        holdsFocus.current = currentTarget.contains(relatedTarget);
      }}
    >
      <ColleagueDoneNote {...done} />
      <ColleagueNote {...answered.colleague} />
      <Answer {...answered} keys={keys} onSwitch={focus} onReplaced={onReplaced} />
    </div>
  );
}

/**
 * Free text within 24 hours of the person's last message, and templates at any time. Renders nothing if the key may send neither. Calls
 * `onSwitch` when another form is shown by choice, and `onReplaced` when the end or the start of the reply window shows another.
 */
function Answer({
  conversation,
  draft,
  colleague,
  refill,
  keys,
  onSwitch,
  onReplaced,
}: Answered & { keys: string | undefined; onSwitch: () => void; onReplaced: () => void }) {
  const session = useSession();
  const window = useReplyWindow(conversation);
  const optOut = useOptOut(conversation);
  const takesReplies = isOpen(window);
  const hasTemplateDraft = useKeptDraft(templateDraftOf(conversation.id)) !== null;
  const [isTemplate, setTemplate] = useState(takesReplies && hasTemplateDraft);
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
  useEffect(onReplaced, [takesReplies, onReplaced]);
  const phone = conversation.contactPhone;
  const name =
    conversation.contactName === null && phone !== null ? <PhoneNumber value={phone} /> : nameOf(conversation);
  const canReply = session.can('messaging:manage');
  const canSend = session.can('messaging:send');
  if (!canReply && !canSend) return null;
  const answersOptedOut = optOut !== undefined && optOut.mayAnswer && takesReplies && canReply;
  if (conversation.optedOut && !answersOptedOut) {
    return (
      <div className="answer">
        <Note tone="warning">
          {rich(
            '{name} has opted out. You can answer them once they write again, and send templates once they send START or the <a>opt-out</a> is removed at their request.',
            { name, a: (text) => <Link to={optOutsAddress({ phone, userId: conversation.userId })}>{text}</Link> },
          )}
        </Note>
      </div>
    );
  }
  if (takesReplies && canReply) {
    const canSendTemplate = canSend && phone !== null && !conversation.optedOut;
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
        note={
          optOut &&
          rich('{name} opted out {time}, but wrote to you since. Answer their question, but do not advertise.', {
            name,
            time: <Time at={optOut.at} as="exact" />,
          })
        }
        mustConfirm={colleague.ask}
        onTemplate={canSendTemplate ? () => setTemplate(true) : undefined}
        onWindowClosed={() => rememberRefusal(conversation)}
      />
    );
  }
  const reason = window.isRefused
    ? rich(
        'Your reply was not sent: the last message from {name} is more than 24 hours old. You can only send a template until they write again; your text is kept until then.',
        { name },
      )
    : takesReplies
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
