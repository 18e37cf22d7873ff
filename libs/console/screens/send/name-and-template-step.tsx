import type { TemplateDto } from '../../../client/generated/types.gen';
import { JOB_NAME_LENGTH } from '../../app/job-title';
import { t } from '../../language/translate';
import { Input } from '../../ui/field';
import type { SendExtras } from './header-extras';
import type { SenderChoice } from './sender-choice';
import { Step } from './steps';
import { TemplateChoice } from './template-choice';
import type { SendDraft, SendForm } from './use-send-draft';

/** The first step of a send to many: the name under which people find it, the template and the sender. */
export function NameAndTemplateStep({
  form: { value, change, chooseTemplate },
  template,
  sender: { senderId, field },
  hasHeader,
  isHeaderMissed,
  onExtras,
}: {
  form: Pick<SendForm<SendDraft & { name: string }>, 'value' | 'change' | 'chooseTemplate'>;
  template: TemplateDto | null;
  sender: SenderChoice;
  /** The header content is there, or every person has their own. */
  hasHeader: boolean;
  /** Everything but the header content is there. */
  isHeaderMissed: boolean;
  onExtras: (extras: SendExtras) => void;
}) {
  return (
    <Step number={1} title={t('Name and template')} done={template !== null && hasHeader}>
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
        typed={value.header}
        senderId={senderId}
        isHeaderMissed={isHeaderMissed}
        onExtras={(extras) => {
          onExtras(extras);
          change({ header: extras.typed });
        }}
      />
      {template && field}
    </Step>
  );
}
