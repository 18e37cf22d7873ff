import type { TemplateDto } from '../../../client/generated/types.gen';
import { JOB_NAME_LENGTH } from '../../app/job-title';
import { t } from '../../language/translate';
import { Input } from '../../ui/field';
import type { SendExtras } from './send-extras';
import type { SenderChoice } from './sender-choice';
import { Step } from './steps';
import { TemplateChoice } from './template-choice';
import type { SendDraft, SendForm } from './use-send-draft';

/** The first step of a send to many: the name under which people find it, the template and the sender. */
export function NameAndTemplateStep({
  form: { value, change, chooseTemplate },
  template,
  sender: { senderId, field },
  isComplete,
  missed,
  error,
  onExtras,
}: {
  form: Pick<SendForm<SendDraft & { name: string }>, 'value' | 'change' | 'chooseTemplate'>;
  template: TemplateDto | null;
  sender: SenderChoice;
  /** Nothing is missing of the extras, or every person has their own. */
  isComplete: boolean;
  /** Everything else is there: the part of the extras that is missing. */
  missed: SendExtras['missing'][number] | undefined;
  /** Of the check or the send. */
  error: unknown;
  onExtras: (extras: SendExtras) => void;
}) {
  return (
    <Step number={1} title={t('Name and template')} done={template !== null && isComplete}>
      <Input
        label={t('Campaign name (optional)')}
        value={value.name}
        maxLength={JOB_NAME_LENGTH}
        dir="auto"
        placeholder={template ? t('Without a name: {template}', { template: template.name }) : t('Spring sale, Berlin')}
        hint={t('You find the job and its report under this name. Recipients do not see it.')}
        onChange={(name) => change({ name })}
      />
      <TemplateChoice
        chosen={template}
        onChoose={chooseTemplate}
        typed={value.extras}
        senderId={senderId}
        missed={missed}
        error={error}
        onExtras={(extras) => {
          onExtras(extras);
          change({ extras: extras.typed });
        }}
      />
      {template && field}
    </Step>
  );
}
