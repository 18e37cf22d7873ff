import { useState } from 'react';
import type { SentMessageDto, TemplateDto } from '../../../client/generated/types.gen';
import { phoneDigits } from '../../../client/phone-digits';
import { asMessagingError } from '../../api/call';
import { useUrlFilters } from '../../app/url-filters';
import { MessageBubble } from '../../ui/bubble/message-bubble';
import { bubbleOfTemplate } from '../../ui/bubble/template-values';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { PageHeader } from '../../ui/page-header';
import { ErrorLine, ErrorState } from '../../ui/states';
import { countryOf, problemOfPhone } from '../../app/calling-codes';
import { MessageProgress } from './message-progress';
import { Step, Steps } from './steps';
import { TemplateChoice } from './template-choice';
import { useChosenTemplate } from './use-chosen-template';
import { useSingleSend } from './use-single-send';
import { ValueFields } from './value-fields';

/** Sends one message to one person and shows its status. */
export default function SingleSendScreen() {
  const [{ template: templateId, to }, setFilters] = useUrlFilters({ template: '', to: '' });
  const { template, chosen } = useChosenTemplate(templateId);
  return (
    <>
      <PageHeader title="Send one message" lead="Send a template to one person now." />
      {template.isError && templateId !== '' && !chosen ? (
        <ErrorState error={template.error} onRetry={() => void template.refetch()} />
      ) : (
        <SingleSendForm
          key={templateId}
          template={chosen}
          firstTo={to}
          onTemplate={(next) => setFilters({ template: next?.id ?? '' })}
        />
      )}
    </>
  );
}

function SingleSendForm({
  template,
  firstTo,
  onTemplate,
}: {
  template: TemplateDto | null;
  firstTo: string;
  onTemplate: (template: TemplateDto | null) => void;
}) {
  const [to, setTo] = useState(firstTo);
  const [sent, setSent] = useState<SentMessageDto | null>(null);
  const { mutation, values, setValues, bubble, setExtras, isFilled, problemOf, send } = useSingleSend(template, {
    onSuccess: setSent,
  });
  const country = countryOf(to);
  const phoneProblem = problemOfPhone(to);
  const phoneError =
    mutation.error && asMessagingError(mutation.error).errors.find(({ field }) => field === 'to')?.message;
  const isReady = template !== null && isFilled && to.trim() !== '' && phoneProblem === null;
  const side = template && (
    <div className="send-preview">
      <div className="bubble-wall">
        <MessageBubble label="Message" content={bubbleOfTemplate(template, values, bubble)} />
      </div>
    </div>
  );
  if (template && sent) {
    return (
      <Steps side={side}>
        <MessageProgress
          sent={sent}
          onAnother={() => {
            setSent(null);
            setTo('');
          }}
        />
      </Steps>
    );
  }
  return (
    <Steps side={side}>
      <Step number={1} title="Template" done={template !== null}>
        <TemplateChoice chosen={template} onChoose={onTemplate} onExtras={setExtras} />
      </Step>
      <Step number={2} title="Recipient" waits={!template && 'Choose a template first.'}>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) send(phoneDigits(to) ?? to);
          }}
        >
          <Input
            label="Phone number"
            type="tel"
            inputMode="tel"
            autoComplete="off"
            placeholder="+49 151 12345678"
            dir="ltr"
            value={to}
            error={phoneError ?? (to.trim() === '' ? undefined : (phoneProblem ?? undefined))}
            hint={country ? country : 'Include the country code, such as +49 for Germany.'}
            onChange={(next) => {
              mutation.reset();
              setTo(next);
            }}
          />
          {template && <ValueFields template={template} values={values} onChange={setValues} problemOf={problemOf} />}
          {mutation.isError && <ErrorLine error={mutation.error} />}
          <div className="row">
            <Button type="submit" variant="primary" icon="send" busy={mutation.isPending} disabled={!isReady}>
              Send message
            </Button>
          </div>
        </form>
      </Step>
    </Steps>
  );
}
