import { useState } from 'react';
import type { SentMessageDto, TemplateDto } from '../../../client/generated/types.gen';
import { phoneDigits } from '../../../client/phone-digits';
import { problemOfPhone, withCallingCode } from '../../app/calling-codes';
import { useNumberCountry } from '../../app/columns/default-country';
import { DraftNote } from '../../app/draft-note';
import { RecipientField } from '../../app/phone-field';
import { UnlikelyNumberNote } from '../../app/unlikely-number-note';
import { useUrlFilters } from '../../app/url-filters';
import { t } from '../../language/translate';
import { fieldErrorOf } from '../../app/field-problem';
import { MessagePreview } from '../../ui/bubble/message-preview';
import { bubbleOfTemplate } from '../../ui/bubble/template-values';
import { Button } from '../../ui/button';
import { PageHeader } from '../../ui/page-header';
import { ErrorLine, ErrorState } from '../../ui/states';
import { MessageProgress } from './message-progress';
import { useSenderChoice } from './sender-choice';
import { Step, Steps } from './steps';
import { TemplateChoice } from './template-choice';
import { useChosenTemplate } from './use-chosen-template';
import { isUntyped } from './send-extras';
import { type SendDraft, type SendForm, useSendForm } from './use-send-draft';
import { useSingleSend } from './use-single-send';
import { ValueFields } from './value-fields';

interface MessageDraft extends SendDraft {
  to: string;
  values: readonly string[];
}

const NEW_MESSAGE: MessageDraft = { templateId: '', extras: {}, senderId: null, to: '', values: [] };

function isEmpty({ to, values, extras }: MessageDraft): boolean {
  return to === '' && values.every((text) => text === '') && isUntyped(extras);
}

/** Sends one message to one person and shows its status. */
export default function SingleSendScreen() {
  const [{ to }] = useUrlFilters({ to: '' });
  return <SingleSend key={to} to={to} />;
}

function SingleSend({ to }: { to: string }) {
  // A link to send to a person has a draft of its own, so that values typed for another person are not sent.
  const form = useSendForm(to ? `single.${to}` : 'single', { ...NEW_MESSAGE, to }, { values: [] }, isEmpty);
  const { template, chosen } = useChosenTemplate(form.templateId);
  return (
    <>
      <PageHeader title={t('Send one message')} lead={t('Send a template to one person now.')} />
      {template.isError && form.templateId !== '' && !chosen ? (
        <ErrorState error={template.error} onRetry={() => void template.refetch()} />
      ) : (
        <SingleSendForm key={form.key} template={chosen} form={form} />
      )}
    </>
  );
}

function SingleSendForm({ template, form }: { template: TemplateDto | null; form: SendForm<MessageDraft> }) {
  const { value, change, draft } = form;
  const { to } = value;
  const [sent, setSent] = useState<SentMessageDto | null>(null);
  const { mutation, values, setValues, bubble, setExtras, clearExtras, isFilled, missing, problemOf, send } =
    useSingleSend(
      template,
      {
        onSuccess: (message) => {
          form.finish();
          setSent(message);
        },
      },
      { value, change, place: draft.place },
    );
  const { senderId, sender, field } = useSenderChoice(template, value.senderId, (id) => change({ senderId: id }));
  const home = useNumberCountry();
  const number = withCallingCode(to, home.country);
  const phoneProblem = problemOfPhone(number);
  const phoneError = fieldErrorOf(mutation.error, 'to');
  const isReady = template !== null && isFilled && to.trim() !== '' && phoneProblem === null;
  const side = template && (
    <div className="send-preview">
      <MessagePreview sender={sender} content={bubbleOfTemplate(template, values, bubble)} />
    </div>
  );
  if (template && sent) {
    return (
      <Steps side={side}>
        <MessageProgress
          sent={sent}
          onAnother={() => {
            setSent(null);
            clearExtras();
            change({ to: '', values });
          }}
        />
      </Steps>
    );
  }
  return (
    <Steps side={side}>
      <DraftNote draft={draft} onStartOver={form.startOver} />
      <Step number={1} title={t('Template')} done={template !== null}>
        <TemplateChoice
          chosen={template}
          onChoose={form.chooseTemplate}
          typed={value.extras}
          senderId={senderId}
          error={mutation.error}
          onExtras={setExtras}
        />
        {template && field}
      </Step>
      <Step number={2} title={t('Recipient')} waits={!template && t('Choose a template first.')}>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) send(phoneDigits(number) ?? number, senderId);
          }}
        >
          <RecipientField
            value={to}
            home={home}
            error={phoneError ?? (to.trim() === '' ? undefined : phoneProblem)}
            onChange={(next) => {
              mutation.reset();
              change({ to: next });
            }}
          />
          {phoneProblem === null && <UnlikelyNumberNote number={number} />}
          {template && <ValueFields template={template} values={values} onChange={setValues} problemOf={problemOf} />}
          {mutation.isError && <ErrorLine error={mutation.error} />}
          {missing && <p className="hint">{missing.first}</p>}
          <div className="row">
            <Button type="submit" variant="primary" icon="send" busy={mutation.isPending} disabled={!isReady}>
              {t('Send message')}
            </Button>
          </div>
        </form>
      </Step>
    </Steps>
  );
}
