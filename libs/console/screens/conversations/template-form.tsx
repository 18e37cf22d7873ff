import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import type { ConversationDto, TemplateDto } from '../../../client/generated/types.gen';
import { queryKeys } from '../../api/query-keys';
import { DraftNote } from '../../app/draft-note';
import { useSession } from '../../app/session';
import { type Draft, useDraft } from '../../app/use-draft';
import { t } from '../../language/translate';
import { MessagePreview } from '../../ui/bubble/message-preview';
import { bubbleOfTemplate } from '../../ui/bubble/template-values';
import { Button } from '../../ui/button';
import { ErrorLine, Loading, Note } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { useSenderChoice } from '../send/sender-choice';
import { valuesOfPerson } from '../send/group-values';
import { TemplateChoice } from '../send/template-choice';
import { useChosenTemplate } from '../send/use-chosen-template';
import type { SendDraft } from '../send/use-send-draft';
import { useSingleSend } from '../send/use-single-send';
import { ValueFields } from '../send/value-fields';
import { useContactOf } from './conversation-queries';
import { focusMessages } from './focus-messages';
import { useOwnChange } from './own-change';
import { addSentTemplate } from './sent-message';

interface Target {
  conversation: ConversationDto;
  phone: string;
}

interface TemplateDraft extends SendDraft {
  values: readonly string[];
}

const NO_TEMPLATE: TemplateDraft = { templateId: '', extras: {}, senderId: null, values: [] };

/** A chosen template is kept without values, too: with the key of a send whose answer was lost. */
function isEmpty({ templateId }: TemplateDraft): boolean {
  return templateId === '';
}

/** The name of the draft of a template in a conversation. */
export function templateDraftOf(conversationId: string): string {
  return `template-reply.${conversationId}`;
}

/**
 * The template form: template, values and preview. `reason`: why free-form replies are not allowed; where they are, `onEnd` returns to
 * them, also after sending and on Escape, which keeps a chosen template. Elsewhere both lead to the messages. Calls `onChosen` when the
 * form of another template, or the list of templates, is shown by choice.
 */
export function TemplateForm({
  reason,
  onEnd,
  onChosen,
  ...target
}: Target & { reason?: ReactNode; onEnd?: () => void; onChosen: () => void }) {
  const queries = useQueryClient();
  const draft = useDraft(templateDraftOf(target.conversation.id), NO_TEMPLATE, { isEmpty });
  const { template, chosen } = useChosenTemplate(draft.value.templateId);
  const { contact, isLoading } = useContactOf(target.phone);
  const place = useRef<HTMLDivElement>(null);
  /** Whether another form is shown by choice. */
  const hasChosen = useRef(false);
  const choose = (next: TemplateDto | null) => {
    hasChosen.current = true;
    // The list has already loaded it.
    if (next) queries.setQueryData(queryKeys.templates.one(next.id), next);
    draft.change({ ...NO_TEMPLATE, templateId: next?.id ?? '' });
  };
  const isShown = draft.value.templateId === '' || (chosen !== null && !isLoading);
  useEffect(() => {
    if (!isShown || !hasChosen.current) return;
    hasChosen.current = false;
    onChosen();
  }, [draft.value.templateId, isShown, onChosen]);
  const onKey = (event: KeyboardEvent) => {
    const { key, target, currentTarget, nativeEvent } = event;
    // Lists of choices, which Escape closes, are outside of the element.
    if (key !== 'Escape' || event.defaultPrevented || nativeEvent.isComposing) return;
    if (!currentTarget.contains(target as Element)) return;
    event.preventDefault();
    if (onEnd) onEnd();
    else focusMessages(currentTarget);
  };
  return (
    <div ref={place} className="answer" onKeyDown={onKey}>
      {reason && <Note>{reason}</Note>}
      {onEnd && (
        <div className="answer-hint">
          <strong>{t('Send a template')}</strong>
          <Button
            small
            onClick={() => {
              draft.discard();
              onEnd();
            }}
          >
            {t('Cancel')}
          </Button>
        </div>
      )}
      <DraftNote draft={draft} />
      {chosen && !isLoading ? (
        <TemplateReply
          key={chosen.id}
          {...target}
          template={chosen}
          known={valuesOfPerson(chosen, contact ?? {}, target.conversation.contactName)}
          draft={draft}
          onTemplate={choose}
          onSent={() => {
            // The reason is at the top.
            place.current?.scrollTo(0, 0);
            if (onEnd) onEnd();
            // The button that holds the focus is removed.
            else if (place.current?.contains(document.activeElement)) focusMessages(place.current);
          }}
        />
      ) : chosen || template.isLoading ? (
        <Loading rows={3} />
      ) : (
        <TemplateChoice chosen={null} onChoose={choose} />
      )}
    </div>
  );
}

function TemplateReply({
  conversation,
  phone,
  template,
  known,
  draft,
  onTemplate,
  onSent,
}: Target & {
  template: TemplateDto;
  /** What is known of the person, until other values are typed. */
  known: readonly string[];
  draft: Draft<TemplateDraft>;
  onTemplate: (template: TemplateDto | null) => void;
  onSent: () => void;
}) {
  const queries = useQueryClient();
  const { key } = useSession();
  const { value, change } = draft;
  const begin = useOwnChange(conversation.id);
  const end = useRef<(() => void) | null>(null);
  const { mutation, values, setValues, bubble, setExtras, isFilled, missing, problemOf, send } = useSingleSend(
    template,
    {
      onSuccess: (sent, request) => {
        addSentTemplate(queries, conversation.id, sent, template, request, { keyId: key.id, keyName: key.name });
        showToast(sent.status === 'Queued' ? t('Template queued') : t('Template sent'));
        onSent();
        draft.discard();
      },
      onSettled: () => end.current?.(),
    },
    { ...draft, value: { ...value, values: value.values.length > 0 ? value.values : known } },
  );
  const { senderId, field } = useSenderChoice(template, value.senderId ?? conversation.senderId, (id) =>
    change({ senderId: id }),
  );
  return (
    // No form: Enter in a field does not send what has not been looked at.
    <div role="group" className="template-answer" aria-label={t('Send a template')}>
      <div className="stack">
        <TemplateChoice
          chosen={template}
          onChoose={onTemplate}
          typed={value.extras}
          senderId={senderId}
          error={mutation.error}
          onExtras={setExtras}
        />
        {field}
        <ValueFields template={template} values={values} onChange={setValues} problemOf={problemOf} />
        {mutation.isError && <ErrorLine error={mutation.error} />}
        {missing && <p className="hint">{missing.first}</p>}
        <div>
          <Button
            variant="primary"
            icon="send"
            busy={mutation.isPending}
            disabled={!isFilled}
            onClick={() => {
              end.current = begin();
              send(phone, senderId, true);
            }}
          >
            {t('Send template')}
          </Button>
        </div>
      </div>
      <MessagePreview
        label={t('Preview')}
        content={bubbleOfTemplate(template, values, bubble, 'names')}
        hasSamples={false}
      />
    </div>
  );
}
