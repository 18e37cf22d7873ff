import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { getTemplate, sendTemplate } from '../../../client/generated/sdk.gen';
import type { SentMessageDto, TemplateDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { useSendOnce } from '../../app/send-once';
import { useUrlFilters } from '../../app/url-filters';
import { MessageBubble } from '../../ui/bubble/message-bubble';
import { bubbleOfTemplate, slotsOf } from '../../ui/bubble/template-values';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { PageHeader } from '../../ui/page-header';
import { ErrorLine, ErrorState } from '../../ui/states';
import { countryOf, digitsOf, problemOfPhone } from './calling-codes';
import { firstExtras, HeaderExtrasFields, needsExtras, type SendExtras } from './header-extras';
import { MessageProgress } from './message-progress';
import { Step, Steps } from './steps';
import { TemplateChoice } from './template-choice';

type SingleSend = NonNullable<Parameters<typeof sendTemplate>[0]>['body'];

/** One message to one person, and what becomes of it. */
export default function SingleSendScreen() {
  const [{ template: templateId, to }, setFilters] = useUrlFilters({ template: '', to: '' });
  const template = useQuery({
    queryKey: ['template', templateId],
    queryFn: ({ signal }) => call(getTemplate, { path: { templateId } }, { signal }),
    enabled: templateId !== '',
  });
  const chosen = template.data?.id === templateId ? template.data : null;
  return (
    <>
      <PageHeader title="Send one message" lead="To one person, at once." />
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
  const [values, setValues] = useState<string[]>([]);
  const [extras, setExtras] = useState<SendExtras | null>(null);
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState<SentMessageDto | null>(null);
  const [error, setError] = useState<unknown>(null);
  const once = useSendOnce(
    useCallback((body: SingleSend, idempotencyKey: string) => call(sendTemplate, { body }, { idempotencyKey }), []),
  );
  const given = extras ?? (template && firstExtras(template));
  const slots = template ? slotsOf(template) : [];
  const country = countryOf(to);
  const phoneProblem = problemOfPhone(to);
  const fieldErrors = new Map(
    error === null ? [] : asMessagingError(error).errors.map((one) => [one.field, one.message]),
  );
  const isReady =
    template !== null &&
    given?.complete === true &&
    to.trim() !== '' &&
    phoneProblem === null &&
    slots.every((_slot, index) => (values[index] ?? '').trim() !== '');
  const send = () => {
    if (!template || !isReady || sending) return;
    setSending(true);
    setError(null);
    once({
      to: digitsOf(to),
      templateName: template.name,
      languageCode: template.languageCode,
      templateParameters: slots.map((_slot, index) => ({ text: values[index] ?? '' })),
      ...given.fields,
    })
      .then(setSent, setError)
      .finally(() => setSending(false));
  };
  const change = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      setError(null);
      set(value);
    };
  };
  const side = template && (
    <div className="send-preview">
      <div className="bubble-wall">
        <MessageBubble label="Message" content={bubbleOfTemplate(template, values, given?.bubble)} />
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
        <TemplateChoice chosen={template} onChoose={onTemplate} />
        {template && needsExtras(template) && <HeaderExtrasFields template={template} onChange={setExtras} />}
      </Step>
      <Step number={2} title="Person" waits={!template && 'Choose a template first.'}>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            send();
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
            error={fieldErrors.get('to') ?? (to.trim() === '' ? undefined : (phoneProblem ?? undefined))}
            hint={country ? country : 'With the country code, such as +49 for Germany.'}
            onChange={change(setTo)}
          />
          {slots.map(({ label }, index) => (
            <Input
              key={index}
              label={label}
              value={values[index] ?? ''}
              maxLength={1024}
              dir="auto"
              error={fieldErrors.get(`templateParameters[${index}].text`)}
              onChange={change((value: string) =>
                setValues(slots.map((_slot, at) => (at === index ? value : (values[at] ?? '')))),
              )}
            />
          ))}
          {error !== null && <ErrorLine error={error} />}
          <div className="row">
            <Button type="submit" variant="primary" icon="send" busy={sending} disabled={!isReady}>
              Send the message
            </Button>
          </div>
        </form>
      </Step>
    </Steps>
  );
}
