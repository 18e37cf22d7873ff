import type { ReactNode } from 'react';
import type { TemplateDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { Input } from '../../ui/field';
import type { SendExtras, TypedHeader } from './header-extras';
import { Step } from './steps';
import { TemplateChoice } from './template-choice';

/** The longest name of a job. */
const MAX_LENGTH = 120;

/** The first step of a send to many: the name under which people find it, the template and the sender. */
export function NameAndTemplateStep({
  value: { name, header },
  template,
  senderField,
  onChange,
  onChoose,
  onExtras,
}: {
  value: { name: string; header: TypedHeader };
  template: TemplateDto | null;
  senderField: ReactNode;
  onChange: (changed: { name?: string; header?: TypedHeader }) => void;
  onChoose: (template: TemplateDto | null) => void;
  onExtras: (extras: SendExtras) => void;
}) {
  return (
    <Step number={1} title={t('Name and template')} done={template !== null}>
      <Input
        label={t('Campaign name')}
        value={name}
        maxLength={MAX_LENGTH}
        dir="auto"
        placeholder={t('Spring sale, Berlin')}
        hint={t('You find the job and its report under this name. Recipients do not see it.')}
        onChange={(next) => onChange({ name: next })}
      />
      <TemplateChoice
        chosen={template}
        onChoose={onChoose}
        typed={header}
        onExtras={(next) => {
          onExtras(next);
          onChange({ header: next.typed });
        }}
      />
      {template && senderField}
    </Step>
  );
}
