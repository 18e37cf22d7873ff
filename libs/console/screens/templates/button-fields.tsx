import type { ReactNode } from 'react';
import type { ButtonDraftDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { BUTTON_TYPES } from './template-draft';

const TYPE_LABELS: Record<ButtonDraftDto['type'], string> = {
  QuickReply: t('Quick reply'),
  Url: t('Link'),
  PhoneNumber: t('Call', {}, 'button of a template'),
  CopyCode: t('Copy code'),
  Otp: t('One-time password'),
  Flow: t('Flow', {}, 'button of a template'),
  Catalog: t('Catalog'),
  MultiProduct: t('Products'),
  Product: t('Product'),
  VoiceCall: t('Voice call'),
  RequestContactInfo: t('Request contact info'),
};
const MAX_BUTTONS = 10;

/** The inputs of a template's buttons. `problem`: validation message of a field, such as `buttons[0].url`. */
export function ButtonFields({
  buttons,
  onChange,
  problem,
}: {
  buttons: readonly ButtonDraftDto[];
  onChange: (buttons: ButtonDraftDto[]) => void;
  problem: (field: string) => ReactNode;
}) {
  const change = (index: number, changed: Partial<ButtonDraftDto>) =>
    onChange(buttons.map((button, at) => (at === index ? { ...button, ...changed } : button)));
  return (
    <div className="stack">
      {buttons.map((button, index) => {
        const field = `buttons[${index}]`;
        const { type, text = '', url = '', example = '', phoneNumber = '' } = button;
        return (
          <fieldset key={index} className="templates-button">
            <legend className="hint">
              {TYPE_LABELS[type]} {problem(`${field}.type`)}
            </legend>
            <div className="send-fields">
              {type !== 'CopyCode' && (
                <Input
                  label={t('Label')}
                  value={text}
                  dir="auto"
                  name={`${field}.text`}
                  error={problem(`${field}.text`)}
                  onChange={(value) => change(index, { text: value })}
                />
              )}
              {type === 'Url' && (
                <Input
                  label={t('URL')}
                  value={url}
                  placeholder="https://shop.example/{{1}}"
                  hint={t('A final {{1}} is replaced for each person.')}
                  name={`${field}.url`}
                  error={problem(`${field}.url`)}
                  onChange={(value) => change(index, { url: value })}
                />
              )}
              {type === 'Url' && url.includes('{{') && (
                <Input
                  label={t('Example URL')}
                  value={example}
                  name={`${field}.example`}
                  error={problem(`${field}.example`)}
                  onChange={(value) => change(index, { example: value })}
                />
              )}
              {type === 'CopyCode' && (
                <Input
                  label={t('Example code')}
                  value={example}
                  name={`${field}.example`}
                  error={problem(`${field}.example`)}
                  onChange={(value) => change(index, { example: value })}
                />
              )}
              {type === 'PhoneNumber' && (
                <Input
                  label={t('Phone number')}
                  type="tel"
                  dir="ltr"
                  value={phoneNumber}
                  name={`${field}.phoneNumber`}
                  error={problem(`${field}.phoneNumber`)}
                  onChange={(value) => change(index, { phoneNumber: value })}
                />
              )}
            </div>
            <div className="row">
              <Button
                small
                variant="quiet"
                icon="close"
                onClick={() => onChange(buttons.filter((_one, at) => at !== index))}
              >
                {t('Remove button')}
              </Button>
            </div>
          </fieldset>
        );
      })}
      {problem('buttons') && <p className="field-error">{problem('buttons')}</p>}
      {buttons.length < MAX_BUTTONS && (
        <div className="row">
          {BUTTON_TYPES.map((type) => (
            <Button key={type} small icon="plus" onClick={() => onChange([...buttons, { type }])}>
              {TYPE_LABELS[type]}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
