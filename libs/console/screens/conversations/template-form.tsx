import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConversationDto, TemplateDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { MessagePreview } from '../../ui/bubble/message-preview';
import { bubbleOfTemplate } from '../../ui/bubble/template-values';
import { Button } from '../../ui/button';
import { ErrorLine, Note } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { TemplateChoice } from '../send/template-choice';
import { useSenderChoice } from '../send/sender-choice';
import { useSingleSend } from '../send/use-single-send';
import { ValueFields } from '../send/value-fields';
import { queryKeys } from '../../api/query-keys';

interface Target {
  conversation: ConversationDto;
  phone: string;
}

/** The template form shown when free-form replies are not allowed: template, values and preview. */
export function TemplateForm({ reason, ...target }: Target & { reason: string }) {
  const [template, setTemplate] = useState<TemplateDto | null>(null);
  return (
    <div className="answer">
      <Note>{reason}</Note>
      {template ? (
        <TemplateReply {...target} template={template} onTemplate={setTemplate} />
      ) : (
        <TemplateChoice chosen={null} onChoose={setTemplate} />
      )}
    </div>
  );
}

function TemplateReply({
  conversation,
  phone,
  template,
  onTemplate,
}: Target & { template: TemplateDto; onTemplate: (template: TemplateDto | null) => void }) {
  const queries = useQueryClient();
  const { mutation, values, setValues, bubble, setExtras, isFilled, problemOf, send } = useSingleSend(template, {
    onSuccess: ({ status }) => {
      showToast(status === 'Queued' ? t('Template queued') : t('Template sent'));
      onTemplate(null);
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: queryKeys.conversation.one(conversation.id) });
      void queries.invalidateQueries({ queryKey: queryKeys.conversations.all });
    },
  });
  const { senderId, field: senderField } = useSenderChoice(template, conversation.senderId);
  return (
    <form
      className="template-answer"
      aria-label={t('Send a template')}
      onSubmit={(event) => {
        event.preventDefault();
        send(phone, senderId);
      }}
    >
      <div className="stack">
        <TemplateChoice chosen={template} onChoose={onTemplate} onExtras={setExtras} />
        {senderField}
        <ValueFields template={template} values={values} onChange={setValues} problemOf={problemOf} />
        {mutation.isError && <ErrorLine error={mutation.error} />}
        <div>
          <Button type="submit" variant="primary" icon="send" busy={mutation.isPending} disabled={!isFilled}>
            {t('Send template')}
          </Button>
        </div>
      </div>
      <MessagePreview label={t('Preview')} content={bubbleOfTemplate(template, values, bubble)} />
    </form>
  );
}
