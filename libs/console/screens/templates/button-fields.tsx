import type { ReactNode } from 'react';
import type { ButtonDraftDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { Select } from '../../ui/select';
import { PasswordFields } from './password-fields';

type ButtonType = ButtonDraftDto['type'];

/** The names of the types of buttons. */
const TYPE_LABELS: Record<ButtonType, string> = {
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
/** WhatsApp labels these. */
const WITHOUT_LABEL: readonly ButtonType[] = ['CopyCode', 'RequestContactInfo', 'Otp'];
const FLOW_ACTIONS = [
  { value: 'Navigate', label: t('A screen of the flow') },
  { value: 'DataExchange', label: t('The screen that your server names') },
] as const;
const MAX_BUTTONS = 10;

/** The inputs of the buttons of a template or card. `problem`: validation message of a field, such as `buttons[0].url`. */
export function ButtonFields({
  buttons,
  fixed = [],
  addable,
  owner = '',
  most = MAX_BUTTONS,
  onChange,
  problem,
  ...parts
}: {
  buttons: readonly ButtonDraftDto[];
  /** Types that cannot be removed. */
  fixed?: readonly ButtonType[];
  addable: readonly ButtonType[];
  /** The field with the buttons, with a dot behind; empty: the template. */
  owner?: string;
  most?: number;
  onChange: (buttons: ButtonDraftDto[]) => void;
  problem: (field: string) => ReactNode;
  /** Default: adds it to `buttons`. */
  onAdd?: (type: ButtonType) => void;
  /** Default: removes it from `buttons`. */
  onRemove?: (index: number) => void;
}) {
  const {
    onAdd = (type: ButtonType) => onChange([...buttons, { type }]),
    onRemove = (index: number) => onChange(buttons.filter((_one, at) => at !== index)),
  } = parts;
  const change = (index: number, changed: Partial<ButtonDraftDto>) =>
    onChange(buttons.map((button, at) => (at === index ? { ...button, ...changed } : button)));
  return (
    <div className="stack">
      {buttons.map((button, index) => {
        const field = `${owner}buttons[${index}]`;
        return (
          <fieldset key={index} className="templates-button">
            <legend className="hint">
              {TYPE_LABELS[button.type]} {problem(`${field}.type`)}
            </legend>
            <Fields button={button} field={field} problem={problem} onChange={(changed) => change(index, changed)} />
            {!fixed.includes(button.type) && (
              <div className="row">
                <Button small variant="quiet" icon="close" onClick={() => onRemove(index)}>
                  {t('Remove button')}
                </Button>
              </div>
            )}
          </fieldset>
        );
      })}
      {problem(`${owner}buttons`) && <p className="field-error">{problem(`${owner}buttons`)}</p>}
      {buttons.length < most && addable.length > 0 && (
        <div className="row">
          {addable.map((type) => (
            <Button key={type} small icon="plus" onClick={() => onAdd(type)}>
              {TYPE_LABELS[type]}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

/** The inputs that the type of a button has. */
function Fields({
  button,
  field,
  problem,
  onChange,
}: {
  button: ButtonDraftDto;
  field: string;
  problem: (field: string) => ReactNode;
  onChange: (changed: Partial<ButtonDraftDto>) => void;
}) {
  const { type, text = '', url = '', example = '', phoneNumber = '', flowAction = FLOW_ACTIONS[0].value } = button;
  const named = (part: keyof ButtonDraftDto) => ({ name: `${field}.${part}`, error: problem(`${field}.${part}`) });
  if (type === 'Otp') return <PasswordFields button={button} field={field} problem={problem} onChange={onChange} />;
  return (
    <div className="send-fields">
      {!WITHOUT_LABEL.includes(type) && (
        <Input
          label={t('Label')}
          value={text}
          dir="auto"
          {...named('text')}
          onChange={(value) => onChange({ text: value })}
        />
      )}
      {type === 'RequestContactInfo' && (
        <p className="hint">{t('WhatsApp labels this button in the language of the template.')}</p>
      )}
      {type === 'Url' && (
        <Input
          label={t('URL')}
          value={url}
          placeholder="https://shop.example/{{1}}"
          hint={t('A final {{1}} is replaced for each person.')}
          {...named('url')}
          onChange={(value) => onChange({ url: value })}
        />
      )}
      {type === 'Url' && url.includes('{{') && (
        <Input
          label={t('Example URL')}
          value={example}
          {...named('example')}
          onChange={(value) => onChange({ example: value })}
        />
      )}
      {type === 'CopyCode' && (
        <Input
          label={t('Example code')}
          value={example}
          {...named('example')}
          onChange={(value) => onChange({ example: value })}
        />
      )}
      {type === 'PhoneNumber' && (
        <Input
          label={t('Phone number')}
          type="tel"
          dir="ltr"
          value={phoneNumber}
          {...named('phoneNumber')}
          onChange={(value) => onChange({ phoneNumber: value })}
        />
      )}
      {type === 'Flow' && (
        <>
          <Input
            label={t('Flow ID')}
            value={button.flowId ?? ''}
            inputMode="numeric"
            hint={t('The ID of a published flow, as WhatsApp Manager shows it.')}
            {...named('flowId')}
            onChange={(value) => onChange({ flowId: value.trim() })}
          />
          <Select
            label={t('Opens with')}
            value={flowAction}
            choices={FLOW_ACTIONS}
            error={problem(`${field}.flowAction`)}
            onChange={(chosen) => onChange({ flowAction: chosen })}
          />
          {flowAction !== 'DataExchange' && (
            <Input
              label={t('First screen')}
              value={button.navigateScreen ?? ''}
              placeholder="START"
              hint={t('The ID of the screen. Empty: the first one of the flow.')}
              {...named('navigateScreen')}
              onChange={(value) => onChange({ navigateScreen: value.trim() })}
            />
          )}
        </>
      )}
    </div>
  );
}
