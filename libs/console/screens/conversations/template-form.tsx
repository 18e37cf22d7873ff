import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConversationDto, TemplateDto } from '../../../client/generated/types.gen';
import { MessageBubble } from '../../ui/bubble/message-bubble';
import { bubbleOfTemplate } from '../../ui/bubble/template-values';
import { Button } from '../../ui/button';
import { ErrorLine, Note } from '../../ui/states';
import { sayDone } from '../../ui/toast';
import { TemplateChoice } from '../send/template-choice';
import { useSingleSend } from '../send/use-single-send';
import { ValueFields } from '../send/value-fields';

interface Place {
  conversation: ConversationDto;
  phone: string;
}

/** Instead of a field: a template, its values, and what the person will see. */
export function TemplateForm({ why, ...place }: Place & { why: string }) {
  const [template, setTemplate] = useState<TemplateDto | null>(null);
  return (
    <div className="answer">
      <Note>{why}</Note>
      {template ? (
        <Filled {...place} template={template} onTemplate={setTemplate} />
      ) : (
        <TemplateChoice chosen={null} onChoose={setTemplate} />
      )}
    </div>
  );
}

function Filled({
  conversation,
  phone,
  template,
  onTemplate,
}: Place & { template: TemplateDto; onTemplate: (template: TemplateDto | null) => void }) {
  const queries = useQueryClient();
  const { work, values, setValues, bubble, setExtras, isFilled, problemOf, send } = useSingleSend(template, {
    onSuccess: ({ status }) => {
      sayDone(status === 'Queued' ? 'It waits for its turn and is sent by itself' : 'The template is sent');
      onTemplate(null);
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['conversation', conversation.id] });
      void queries.invalidateQueries({ queryKey: ['conversations'] });
    },
  });
  return (
    <form
      className="template-answer"
      aria-label="Send a template"
      onSubmit={(event) => {
        event.preventDefault();
        send(phone);
      }}
    >
      <div className="stack">
        <TemplateChoice chosen={template} onChoose={onTemplate} onExtras={setExtras} />
        <ValueFields template={template} values={values} onChange={setValues} problemOf={problemOf} />
        {work.isError && <ErrorLine error={work.error} />}
        <div>
          <Button type="submit" variant="primary" icon="send" busy={work.isPending} disabled={!isFilled}>
            Send the template
          </Button>
        </div>
      </div>
      <div className="bubble-wall">
        <MessageBubble label="What they will see" content={bubbleOfTemplate(template, values, bubble)} />
      </div>
    </form>
  );
}
